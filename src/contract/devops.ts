import { z } from 'zod';
import { ErrorBody, notFound } from './common.ts';
import { record } from './lax/collections.ts';
import { integer } from './lax/number.ts';
import { text } from './lax/text.ts';
import { route } from './route.ts';

/** Load of the service, for autoscalers (contract 13.4). */
export const ActiveCalls = z
  .object({ active_calls: z.int(), loop_lag_p95_ms: z.number(), loop_lag_max_ms: z.number() })
  .meta({
    id: 'ActiveCalls',
    description: 'Live calls of all organizations, and the event loop delay of this process.',
  });
export const AutoscaleMetric = z
  .object({ value: z.int() })
  .meta({ id: 'AutoscaleMetric', description: 'A number to scale by.' });

const tag = 'Service';
const headers = record({
  'X-Dograh-Devops-Secret': text()
    .optional()
    .meta({ description: 'The secret of the operator, `PARLANCE_DEVOPS_SECRET`.' }),
});
const answers = {
  403: { description: 'The secret is missing or wrong.', schema: ErrorBody },
  404: notFound('The operator has set no secret.'),
};

export const getActiveCalls = route({
  method: 'get',
  path: '/health/active-calls',
  id: 'getActiveCalls',
  tag,
  auth: 'none',
  summary: 'Get the number of live calls',
  description: 'The event loop delays are those of this process since the last such request.',
  headers,
  answers: { 200: { description: 'The load.', schema: ActiveCalls }, ...answers },
});

export const getAutoscaleMetric = route({
  method: 'get',
  path: '/health/autoscale-metric',
  id: 'getAutoscaleMetric',
  tag,
  auth: 'none',
  summary: 'Get a number to scale by',
  description: 'Returns the number of live calls plus `buffer`.',
  query: record({
    buffer: integer({ ge: 0, le: 1_000_000 })
      .optional()
      .meta({ override: { default: 0 } }),
  }),
  headers,
  answers: { 200: { description: 'The number.', schema: AutoscaleMetric }, ...answers },
});
