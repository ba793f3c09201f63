import type { DeliveryRow } from '../../../db/tables/deliveries.ts';
import { translateUnavailable } from '../../../db/unavailable.ts';
import type { CustomerHttpOutcome } from '../../../providers/http/port.ts';
import { resolveCredentialHeaders, liveWebhookSecrets } from '../../identity/index.ts';
import { backlogOf, type Backlog } from './backlog.ts';
import { beginAttempt } from './begin-attempt.ts';
import type { DeliveryDeps } from './deps.ts';
import { isSwitchedOff } from './endpoint.ts';
import { hostOf } from './internal.ts';
import { judgeAnswer, type Judgment } from './judge.ts';
import { openedHeaders } from './opened-headers.ts';
import { recordOutcome } from './record-outcome.ts';
import { bodyOf, buildRequest } from './request.ts';

export interface AttemptInput {
  deliveryUuid: string;
  /** From 1; the receiver sees it in `X-Dograh-Delivery-Attempt`. */
  attempt: number;
  /** Reopens a finished delivery for this attempt. */
  resend?: boolean;
}

/**
 * Part of every outcome: the endpoint's host, for operators, and the status of the answer, if there was one.
 */
interface Seen {
  host: string;
  statusCode: number | null;
}

export type AttemptOutcome =
  /** `backlog` waits for the endpoint that has just accepted this. */
  | (Seen & { kind: 'succeeded'; backlog?: Backlog })
  /** Worth another attempt; `retryAfterMs` is the wait that the receiver asked for, else null. */
  | (Seen & { kind: 'retry'; reason: string; retryAfterMs: number | null })
  /** No further attempt would help. */
  | (Seen & { kind: 'dead'; reason: string });

/** How many bytes of an answer are stored with the attempt. */
const keptAnswerBytes = 8192;

/**
 * Makes one attempt of one delivery and records it (contract 9.2–9.4). The receiver's behavior is returned,
 * not thrown. The attempt's row is `started` before anything is sent. An attempt that is already recorded, or
 * a finished delivery, is answered from the record without sending, unless `resend` reopens it. An attempt
 * left at `started` is made again: its worker died, and the receiver, which may have got it, sees the same id
 * and the same bytes.
 *
 * Throws NotFoundError for an unknown delivery, UnavailableError when MySQL is unavailable, and the reason of
 * `signal` when it aborts the attempt (the row stays `started`).
 */
export async function attemptDelivery({
  deps,
  input,
  signal,
}: {
  deps: DeliveryDeps;
  input: AttemptInput;
  signal?: AbortSignal;
}): Promise<AttemptOutcome> {
  const begun = await beginAttempt({ deps, input });
  if (begun.kind === 'recorded') return await withBacklog(deps, begun);

  const at = deps.clock.now();
  const isOff = await isSwitchedOff(deps.db.manager, begun.delivery);
  const answer = isOff ? null : await send({ deps, input, delivery: begun.delivery, at, signal });
  if (answer?.kind === 'failed' && answer.reason === 'aborted') signal?.throwIfAborted();

  const now = deps.clock.now();
  const judgment = answer === null ? switchedOff : judgeAnswer({ answer, now });
  const statusCode = answer?.kind === 'answered' ? answer.statusCode : null;
  const durationMs = Math.max(0, now.getTime() - at.getTime());
  const recorded = {
    judgment,
    statusCode,
    durationMs,
    responseExcerpt: answer?.kind === 'answered' ? answer.bodyText : null,
  };
  const earlier = await recordOutcome({ deps, input, recorded });
  const { organizationId, callId } = begun.delivery;
  deps.log.info(
    { ...input, organizationId, callId, statusCode, durationMs, outcome: judgment.kind },
    'A webhook attempt has ended',
  );
  const outcome = earlier ?? { ...withoutEndpoint(judgment), host: hostOf(begun.delivery.url), statusCode };
  return await withBacklog(deps, { delivery: begun.delivery, outcome });
}

/**
 * Adds the endpoint's backlog to a success. Runs after the record is written: if the worker dies in between,
 * the next run answers from the record and adds it then.
 */
async function withBacklog(
  { db }: DeliveryDeps,
  { delivery, outcome }: { delivery: DeliveryRow; outcome: AttemptOutcome },
): Promise<AttemptOutcome> {
  if (outcome.kind !== 'succeeded') return outcome;
  const backlog = await backlogOf(db, delivery);
  return backlog === null ? outcome : { ...outcome, backlog };
}

/** The judgment of an attempt that is not sent because its endpoint is switched off. */
const switchedOff: Judgment = {
  kind: 'dead',
  reason: 'Not sent: the endpoint answered 410 and is switched off',
  endpointOff: false,
};

interface Sending {
  deps: DeliveryDeps;
  input: AttemptInput;
  delivery: DeliveryRow;
  at: Date;
  signal: AbortSignal | undefined;
}

async function send({ deps, input, delivery, at, signal }: Sending): Promise<CustomerHttpOutcome> {
  const { http, sign, timeoutMs } = deps;
  const { credential, live } = await readSecrets(deps, delivery);
  if (credential.kind === 'refused') return credential;
  const signature = sign({ id: delivery.uuid, at, body: bodyOf(delivery) ?? '', secrets: live });
  const request = buildRequest({
    deliveryUuid: delivery.uuid,
    callId: delivery.callId,
    attempt: input.attempt,
    method: delivery.method,
    url: delivery.url,
    body: delivery.body,
    customHeaders: openedHeaders(deps.secrets, delivery),
    credentialHeaders: credential.headers,
    at,
    signature,
  });
  return await http.request({ ...request, timeoutMs, maxResponseBytes: keptAnswerBytes, signal });
}

/** Reads credential and secrets anew for each attempt, so that rotated ones apply (contract 9.2). */
async function readSecrets(
  { db, secrets }: DeliveryDeps,
  { organizationId, credentialUuid, url }: DeliveryRow,
) {
  try {
    return {
      credential: await resolveCredentialHeaders({ db, secrets, organizationId, credentialUuid, url }),
      live: await liveWebhookSecrets({ db, secrets, organizationId }),
    };
  } catch (error) {
    throw translateUnavailable(error);
  }
}

function withoutEndpoint(
  judgment: Judgment,
): Exclude<Judgment, { kind: 'dead' }> | { kind: 'dead'; reason: string } {
  return judgment.kind === 'dead' ? { kind: 'dead', reason: judgment.reason } : judgment;
}
