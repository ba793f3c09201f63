import { styleText } from 'node:util';
import { z } from 'zod';

/** How the demonstration reaches the service, and how it prints its progress. */
const Environment = z.object({
  PARLANCE_API_URL: z.url(),
  PARLANCE_API_KEY: z.string().min(1),
  TEMPORAL_UI_URL: z.string().optional(),
  TEMPORAL_NAMESPACE: z.string().default('parlance'),
  PARLANCE_SIMULATED: z.string().optional(),
  /** Where webhooks are received; `none` if the service may not reach this machine. Any free port by default. */
  PARLANCE_DEMO_RECEIVER_PORT: z.union([z.literal('none'), z.coerce.number().int()]).default(0),
  /** The simulated carrier; without it there is no phone call. */
  PARLANCE_SIMULATED_CARRIER_URL: z.url().optional(),
});

export const env = Environment.parse(process.env);

export const heading = (text: string): void => console.log(`\n${styleText('bold', text)}`);
export const detail = (text: string): void => console.log(`  ${text}`);
export const indented = (text: string): string => text.replaceAll(/^/gm, '  ');

/** One request to the API. Throws with the answer for any status other than 2xx. */
export async function call<T>(
  schema: z.ZodType<T>,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const answer = await fetch(`${env.PARLANCE_API_URL}/api/v1${path}`, {
    method,
    headers: { 'X-API-Key': env.PARLANCE_API_KEY, 'Content-Type': 'application/json' },
    signal: AbortSignal.timeout(90_000),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  return schema.parse(JSON.parse(text));
}

/** Link to a call in Temporal UI; null without a UI. */
export function temporalUiLink(workflowId: string): string | null {
  return env.TEMPORAL_UI_URL === undefined
    ? null
    : `${env.TEMPORAL_UI_URL}/namespaces/${env.TEMPORAL_NAMESPACE}/workflows/${encodeURIComponent(workflowId)}`;
}
