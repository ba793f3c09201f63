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
    simulated: z.object({ llm: z.boolean(), stt: z.boolean(), tts: z.boolean(), carrier: z.boolean() }),
    links: z.object({ temporal_ui: z.string().nullable(), traces: z.string().nullable() }),
  })
  .meta({ id: 'Health', description: 'Facts about the installation for clients.' });
export type Health = z.infer<typeof Health>;

const tag = 'Service';

export const getHealth = route({
  method: 'get',
  path: '/health',
  id: 'getHealth',
  tag,
  auth: 'none',
  summary: 'Get facts about the installation',
  description: 'Does not check dependencies. `/readyz` does.',
  answers: { 200: { description: 'The facts.', schema: Health } },
});

export const getDescription = route({
  method: 'get',
  path: '/openapi.json',
  id: 'getOpenApi',
  tag,
  auth: 'none',
  summary: 'Get the OpenAPI description',
  description: 'Returns this description in OpenAPI 3.1.',
  answers: { 200: { description: 'The document.', schema: AnyObject } },
});

export const getReference = route({
  method: 'get',
  path: '/docs',
  id: 'getReference',
  tag,
  auth: 'none',
  summary: 'Open the API reference',
  description:
    'Returns this description as a page for reading and trying out in a browser. The page loads nothing from other sites.',
  answers: { 200: { description: 'The page.', mediaType: 'text/html' } },
});

export const getReferenceAsset = route({
  method: 'get',
  path: '/docs/{file}',
  id: 'getReferenceAsset',
  tag,
  auth: 'none',
  summary: 'Get a file of the API reference',
  description: 'Returns scripts, styles and the icon of `/docs`.',
  params: record({ file: text().describe('Name of the file.') }),
  answers: {
    200: { description: 'The file.', mediaType: '*/*' },
    404: notFound('The page has no such file.'),
  },
});

const Liveness = z
  .object({ alive: z.literal(true) })
  .meta({ id: 'Liveness', description: 'Liveness of the process.' });

export const getLiveness = route({
  method: 'get',
  path: '/healthz',
  bare: true,
  id: 'getLiveness',
  tag,
  auth: 'none',
  summary: 'Check liveness',
  description: 'Returns 200 while the process can answer.',
  answers: { 200: { description: 'Alive.', schema: Liveness } },
});

const Checks = z
  .record(z.string(), z.enum(['ok', 'failed', 'timeout']))
  .meta({ description: 'Result by dependency. The log of the process has the reason of a failure.' });
export const Readiness = z
  .object({ ready: z.boolean(), checks: Checks })
  .meta({ id: 'Readiness', description: 'Readiness of the process, by dependency.' });
export type Readiness = z.infer<typeof Readiness>;

export const getReadiness = route({
  method: 'get',
  path: '/readyz',
  bare: true,
  id: 'getReadiness',
  tag,
  auth: 'none',
  summary: 'Check readiness',
  description: 'Returns 200 if the process can take work. Names each dependency that does not answer.',
  answers: {
    200: { description: 'Ready.', schema: Readiness },
    503: { description: 'Not ready.', schema: Readiness },
  },
});
