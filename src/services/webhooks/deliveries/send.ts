import type { DeliveryRow } from '../../../db/tables/deliveries.ts';
import type { CustomerHttpOutcome } from '../../../providers/http/port.ts';
import type { resolveCredentialHeaders } from '../../identity/index.ts';
import type { DeliveryDeps } from './deps.ts';
import { judgeAnswer, type Judgment } from './judge.ts';
import { openedHeaders } from './opened-headers.ts';
import type { Recorded } from './record-outcome.ts';
import { bodyOf, buildRequest } from './request.ts';

/** How many bytes of an answer are stored with the attempt. */
const keptAnswerBytes = 8192;

/** The judgment of an attempt that is not sent because its endpoint is switched off. */
const switchedOff: Judgment = {
  kind: 'dead',
  reason: 'Not sent: the endpoint answered 410 and is switched off',
  endpointOff: false,
};

/** What identifies us to the receiver, read anew for each attempt, so that rotated ones apply (contract 9.2). */
export interface SendingSecrets {
  credential: Awaited<ReturnType<typeof resolveCredentialHeaders>>;
  /** The organization's webhook secrets; each signs. */
  live: readonly string[];
}

/** Signs and sends one attempt. The receiver's behavior is returned, not thrown. */
export async function sendAttempt({
  deps: { http, secrets, sign, timeoutMs },
  delivery,
  attempt,
  at,
  signal,
  credential,
  live,
}: SendingSecrets & {
  deps: Pick<DeliveryDeps, 'http' | 'secrets' | 'sign' | 'timeoutMs'>;
  delivery: DeliveryRow;
  attempt: number;
  at: Date;
  signal: AbortSignal | undefined;
}): Promise<CustomerHttpOutcome> {
  if (credential.kind === 'refused') return credential;
  const request = buildRequest({
    deliveryUuid: delivery.uuid,
    callId: delivery.callId,
    attempt,
    method: delivery.method,
    url: delivery.url,
    body: delivery.body,
    customHeaders: openedHeaders(secrets, delivery),
    credentialHeaders: credential.headers,
    at,
    signature: sign({ id: delivery.uuid, at, body: bodyOf(delivery) ?? '', secrets: [...live] }),
  });
  return await http.request({ ...request, timeoutMs, maxResponseBytes: keptAnswerBytes, signal });
}

/** What is recorded of an attempt that lasted from `at` to `now`; `answer` is null if its endpoint is off. */
export function recordedOf({
  answer,
  at,
  now,
}: {
  answer: CustomerHttpOutcome | null;
  at: Date;
  now: Date;
}): Recorded {
  return {
    judgment: answer === null ? switchedOff : judgeAnswer({ answer, now }),
    statusCode: answer?.kind === 'answered' ? answer.statusCode : null,
    durationMs: Math.max(0, now.getTime() - at.getTime()),
    responseExcerpt: answer?.kind === 'answered' ? answer.bodyText : null,
  };
}
