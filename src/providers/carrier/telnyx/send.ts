import Telnyx from 'telnyx';
import { toCarrierError } from './failures.ts';

/**
 * Sends one request within the time limit and translates what goes wrong. `isLeg`: it is about one leg, named
 * in its path.
 */
export type Send = <Answer>(
  request: (client: Telnyx, options: { signal: AbortSignal }) => PromiseLike<Answer>,
  about?: { isLeg: boolean },
) => Promise<Answer>;

/**
 * A client of the SDK that makes one attempt. Its own timer ends with the headers; ours covers the body of
 * the answer too.
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
  // Every option that the SDK would otherwise take from the environment is given.
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
