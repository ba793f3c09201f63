import { z } from 'zod';
import { AnyObject, notFound } from './common.ts';
import { record } from './lax/collections.ts';
import { text } from './lax/text.ts';
import { route } from './route.ts';

/** Contract 13.4. */
export const Health = z
  .object({
    status: z.literal('ok'),
    version: z.string(),
    backend_api_endpoint: z.string(),
    tunnel_url: z.string().nullable(),
    deployment_mode: z.string(),
    auth_provider: z.string(),
    turn_enabled: z.boolean(),
    force_turn_relay: z.boolean(),
    signup_enabled: z.boolean(),
    stack_project_id: z.string().nullable(),
    stack_publishable_client_key: z.string().nullable(),
  })
  .meta({ id: 'Health', description: 'What clients learn about this installation.' });
export type Health = z.infer<typeof Health>;

const tag = 'Service';

export const getHealth = route({
  method: 'get',
  path: '/health',
  id: 'getHealth',
  tag,
  auth: 'none',
  summary: 'What this installation is',
  description: 'Says nothing about dependencies: `/readyz` does.',
  answers: { 200: { description: 'The service answers.', schema: Health } },
});

export const getDescription = route({
  method: 'get',
  path: '/openapi.json',
  id: 'getOpenApi',
  tag,
  auth: 'none',
  summary: 'This description',
  description: 'OpenAPI 3.1, generated from the table of routes.',
  answers: { 200: { description: 'The document.', schema: AnyObject } },
});

export const getReference = route({
  method: 'get',
  path: '/docs',
  id: 'getReference',
  tag,
  auth: 'none',
  summary: 'This description as a page',
  description: 'For reading and trying out in a browser. It loads nothing from anywhere else.',
  answers: { 200: { description: 'The page.', mediaType: 'text/html' } },
});

export const getReferenceAsset = route({
  method: 'get',
  path: '/docs/{file}',
  id: 'getReferenceAsset',
  tag,
  auth: 'none',
  summary: 'A part of the page',
  description: 'Scripts, styles and the icon of `/docs`.',
  params: record({ file: text().describe('As the page names it.') }),
  answers: {
    200: { description: 'The file.', mediaType: '*/*' },
    404: notFound('The page has no such part.'),
  },
});

const Liveness = z
  .object({ alive: z.literal(true) })
  .meta({ id: 'Liveness', description: 'The process answers.' });

export const getLiveness = route({
  method: 'get',
  path: '/healthz',
  bare: true,
  id: 'getLiveness',
  tag,
  auth: 'none',
  summary: 'Is the process alive',
  description: 'Answers as long as the process can.',
  answers: { 200: { description: 'Alive.', schema: Liveness } },
});

const Checks = z
  .record(z.string(), z.enum(['ok', 'failed', 'timeout']))
  .meta({ description: 'By dependency; why it failed is in the log of the process.' });
export const Readiness = z
  .object({ ready: z.boolean(), checks: Checks })
  .meta({ id: 'Readiness', description: 'Which dependency is broken.' });
export type Readiness = z.infer<typeof Readiness>;

export const getReadiness = route({
  method: 'get',
  path: '/readyz',
  bare: true,
  id: 'getReadiness',
  tag,
  auth: 'none',
  summary: 'Can this process take work',
  description: 'Names what is broken.',
  answers: {
    200: { description: 'Ready.', schema: Readiness },
    503: { description: 'Not ready.', schema: Readiness },
  },
});
