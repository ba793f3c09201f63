import Telnyx from 'telnyx';
import { toCarrierError } from './failures.ts';

/**
 * Sends one request within the timeout and translates its errors. `isLeg`: its path names one leg.
 */
export type Send = <Answer>(
  request: (client: Telnyx, options: { signal: AbortSignal }) => PromiseLike<Answer>,
  about?: { isLeg: boolean },
) => Promise<Answer>;

/**
 * A client of the SDK that makes one attempt. The SDK's own timeout ends with the headers; ours includes the
 * body of the answer.
 */
export function createSend({
  apiKey,
  baseUrl,
  timeoutMs,
}: {
  apiKey: string;
  baseUrl: string | undefined;
  timeoutMs: number;
}): Send {
  // Sets every option that the SDK would otherwise read from the environment.
  const client = new Telnyx({
    apiKey,
    publicKey: null,
    clientID: null,
    clientSecret: null,
    baseURL: baseUrl ?? 'https://api.telnyx.com/v2',
    maxRetries: 0,
    timeout: timeoutMs * 2,
    logLevel: 'off',
  });
  return async (request, { isLeg } = { isLeg: false }) => {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      return await request(client, { signal });
    } catch (error) {
      throw toCarrierError(error, { expired: signal.aborted, isLeg, timeoutMs });
    }
  };
}
