import type { DeliveryRow } from '../../../db/tables/deliveries.ts';
import { translateUnavailable } from '../../../db/unavailable.ts';
import { isSecretHeader } from '../../../domain/delivery/masking.ts';
import type { CustomerHttpOutcome } from '../../../providers/http/port.ts';
import { resolveCredentialHeaders, liveWebhookSecrets } from '../../identity/index.ts';
import { definitionPlace, openerOf } from '../../kernel/index.ts';
import { backlogOf, type Backlog } from './backlog.ts';
import { beginAttempt } from './begin-attempt.ts';
import type { DeliveryDeps } from './deps.ts';
import { isSwitchedOff } from './endpoint.ts';
import { hostOf } from './internal.ts';
import { judgeAnswer, type Judgment } from './judge.ts';
import { recordOutcome } from './record-outcome.ts';
import { bodyOf, buildRequest } from './request.ts';

export interface AttemptInput {
  deliveryUuid: string;
  /** 1, 2, ...: what the receiver sees in `X-Dograh-Delivery-Attempt`. */
  attempt: number;
  /** A delivery that has ended is opened again for this attempt. */
  resend?: boolean;
}

/** Of every outcome: host of the address for people who watch, status of the answer if there was one. */
interface Seen {
  host: string;
  statusCode: number | null;
}

export type AttemptOutcome =
  /** `backlog` waits for the endpoint that has just accepted this. */
  | (Seen & { kind: 'succeeded'; backlog?: Backlog })
  /** Worth another attempt; `retryAfterMs` is what the receiver asked for, null when it asked for nothing. */
  | (Seen & { kind: 'retry'; reason: string; retryAfterMs: number | null })
  /** No further attempt would help. */
  | (Seen & { kind: 'dead'; reason: string });

/** The answer's first bytes that are kept with the attempt. */
const keptAnswerBytes = 8192;

/**
 * Makes one attempt of one delivery and records it (contract 9.2–9.4). What the receiver does is a value. The
 * attempt's row says `started` before anything is sent; an attempt that is on record already, or a delivery
 * that is finished, is answered from the record and nothing is sent, unless this attempt sends it again by
 * hand. An attempt left at `started` is made again: its worker died, the receiver may or may not have got it,
 * and sees the same id and the same bytes.
 *
 * Throws NotFoundError for an unknown delivery, UnavailableError when MySQL is away, and the reason of
 * `signal` when that ends the attempt (the row stays `started`).
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
    'webhook attempt finished',
  );
  const outcome = earlier ?? { ...withoutEndpoint(judgment), host: hostOf(begun.delivery.url), statusCode };
  return await withBacklog(deps, { delivery: begun.delivery, outcome });
}

/**
 * Looked for after the record is written: a worker that dies in between finds it when the attempt is answered
 * from the record.
 */
async function withBacklog(
  { db }: DeliveryDeps,
  { delivery, outcome }: { delivery: DeliveryRow; outcome: AttemptOutcome },
): Promise<AttemptOutcome> {
  if (outcome.kind !== 'succeeded') return outcome;
  const backlog = await backlogOf(db, delivery);
  return backlog === null ? outcome : { ...outcome, backlog };
}

/** Nothing is sent, and the attempt says so. */
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
  const { credentialHeaders, live } = await readSecrets(deps, delivery);
  const open = openerOf(deps.secrets, definitionPlace(delivery.organizationId));
  const signature = sign({ id: delivery.uuid, at, body: bodyOf(delivery) ?? '', secrets: live });
  const request = buildRequest({
    deliveryUuid: delivery.uuid,
    callId: delivery.callId,
    attempt: input.attempt,
    method: delivery.method,
    url: delivery.url,
    body: delivery.body,
    customHeaders: delivery.headers.map(({ key, value }) => ({
      key,
      value: isSecretHeader(key) ? open(value) : value,
    })),
    credentialHeaders,
    at,
    signature,
  });
  return await http.request({ ...request, timeoutMs, maxResponseBytes: keptAnswerBytes, signal });
}

/** Credential and secrets are looked up for each attempt, so that rotating them works (contract 9.2). */
async function readSecrets({ db, secrets }: DeliveryDeps, { organizationId, credentialUuid }: DeliveryRow) {
  try {
    return {
      credentialHeaders: await resolveCredentialHeaders({ db, secrets, organizationId, credentialUuid }),
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
