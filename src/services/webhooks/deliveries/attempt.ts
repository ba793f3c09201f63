import type { DeliveryRow } from '../../../db/tables/deliveries.ts';
import { translateUnavailable } from '../../../db/unavailable.ts';
import { resolveCredentialHeaders, liveWebhookSecrets } from '../../identity/index.ts';
import { backlogOf, type Backlog } from './backlog.ts';
import { beginAttempt } from './begin-attempt.ts';
import type { DeliveryDeps } from './deps.ts';
import { isSwitchedOff } from './endpoint.ts';
import { hostOf } from './internal.ts';
import type { Judgment } from './judge.ts';
import { recordOutcome } from './record-outcome.ts';
import { recordedOf, sendAttempt } from './send.ts';

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
  const answer = isOff
    ? null
    : await sendAttempt({
        deps,
        attempt: input.attempt,
        delivery: begun.delivery,
        at,
        signal,
        ...(await readSecrets(deps, begun.delivery)),
      });
  if (answer?.kind === 'failed' && answer.reason === 'aborted') signal?.throwIfAborted();

  const now = deps.clock.now();
  const recorded = recordedOf({ answer, at, now });
  const { judgment, statusCode, durationMs } = recorded;
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
