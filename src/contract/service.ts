import { z } from 'zod';
import { AnyObject } from './common.ts';
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
  method: 'get', path: '/health', id: 'getHealth', tag, auth: 'none',
  summary: 'What this installation is', description: 'Says nothing about dependencies: `/readyz` does.',
  answers: { 200: { description: 'The service answers.', schema: Health } },
});

export const getDescription = route({
  method: 'get', path: '/openapi.json', id: 'getOpenApi', tag, auth: 'none',
  summary: 'This description', description: 'OpenAPI 3.1, generated from the table of routes.',
  answers: { 200: { description: 'The document.', schema: AnyObject } },
});

export const getLiveness = route({
  method: 'get', path: '/healthz', bare: true, id: 'getLiveness', tag, auth: 'none',
  summary: 'Is the process alive', description: 'Answers as long as the process can.',
  answers: { 200: { description: 'Alive.', schema: z.object({ alive: z.literal(true) }) } },
});

const Checks = z.record(z.string(), z.enum(['ok', 'failed', 'timeout'])).meta({ description: 'By dependency; why it failed is in the log of the process.' });
export const Readiness = z.object({ ready: z.boolean(), checks: Checks }).meta({ id: 'Readiness', description: 'Which dependency is broken.' });
export type Readiness = z.infer<typeof Readiness>;

export const getReadiness = route({
  method: 'get', path: '/readyz', bare: true, id: 'getReadiness', tag, auth: 'none',
  summary: 'Can this process take work', description: 'Names what is broken.',
  answers: { 200: { description: 'Ready.', schema: Readiness }, 503: { description: 'Not ready.', schema: Readiness } },
});
