import { z } from 'zod';
import { ErrorBody, notFound } from './common.ts';
import { record } from './lax/collections.ts';
import { integer } from './lax/number.ts';
import { text } from './lax/text.ts';
import { route } from './route.ts';

/** Contract 13.4: what a scaler of processes asks. */
export const ActiveCalls = z
  .object({ active_calls: z.int(), loop_lag_p95_ms: z.number(), loop_lag_max_ms: z.number() })
  .meta({ id: 'ActiveCalls', description: 'Calls of everybody that go on, and how late this process is.' });
export const AutoscaleMetric = z
  .object({ value: z.int() })
  .meta({ id: 'AutoscaleMetric', description: 'One number to scale by.' });

const tag = 'Service';
const headers = record({
  'X-Dograh-Devops-Secret': text()
    .optional()
    .meta({ description: 'The secret of the operator, `PARLANCE_DEVOPS_SECRET`.' }),
});
const answers = {
  403: { description: "Another secret than the operator's, or none.", schema: ErrorBody },
  404: notFound('The operator has set no secret.'),
};

export const getActiveCalls = route({
  method: 'get',
  path: '/health/active-calls',
  id: 'getActiveCalls',
  tag,
  auth: 'none',
  summary: 'How many calls go on',
  description: 'Delays of the event loop are of this process since the last such request.',
  headers,
  answers: { 200: { description: 'The load.', schema: ActiveCalls }, ...answers },
});

export const getAutoscaleMetric = route({
  method: 'get',
  path: '/health/autoscale-metric',
  id: 'getAutoscaleMetric',
  tag,
  auth: 'none',
  summary: 'A number to scale by',
  description: 'Calls that go on, plus the buffer.',
  query: record({
    buffer: integer({ ge: 0, le: 1_000_000 })
      .optional()
      .meta({ override: { default: 0 } }),
  }),
  headers,
  answers: { 200: { description: 'The number.', schema: AutoscaleMetric }, ...answers },
});
