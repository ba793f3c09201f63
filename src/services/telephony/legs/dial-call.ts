import { deleteRows, findRows, getRow, updateRows } from '../../../db/rows.ts';
import { agentVersions } from '../../../db/tables/agent-versions.ts';
import { calls, type CallRow } from '../../../db/tables/calls.ts';
import { numberDials } from '../../../db/tables/number-dials.ts';
import type { PhoneLegRow } from '../../../db/tables/phone-legs.ts';
import { tools } from '../../../db/tables/tools.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { timeoutsMs } from '../../../domain/declaration.ts';
import { AppError, PreconditionError } from '../../../domain/errors.ts';
import { readDialed } from '../../../domain/phone/dialed.ts';
import type { DialPolicy } from '../../../domain/campaign/policy.ts';
import { dialFaultWords, reachedWords } from '../../../domain/telephony/dial-rule.ts';
import { CarrierError } from '../../../domain/telephony/carrier-error.ts';
import type { LegIds } from '../../../domain/telephony/carrier-event.ts';
import { notDialedWords, type NotDialed } from '../../../domain/campaign/not-dialed.ts';
import { legReference, writeClientState } from '../../../domain/telephony/client-state.ts';
import type { RetryClass } from '../../../domain/telephony/retry-class.ts';
import type { CarrierPort, DialRequest } from '../../../providers/carrier/port.ts';
import type { Clock } from '../../../runtime/clock.ts';
import { returnDial } from '../../identity/index.ts';
import { policyFault, takeDialOfDay } from '../dial-rule/dial-rule.ts';
import { readPolicy } from '../dial-rule/read-policy.ts';
import { noteDialAnswered, noteDialFault } from '../outages/note-dial.ts';
import { findCallerNumber } from './caller-number.ts';
import type { PhoneCallRef, PhoneDeps } from './deps.ts';
import { streamUrl } from '../../media/index.ts';
import { eventsUrl, maskNumbers } from './internal.ts';
import { openAccount } from '../accounts/open-account.ts';
import { claimDial, recordLeg } from './legs.ts';

export interface DialCallInput extends PhoneCallRef {
  /** 1 for the only attempt of a call. */
  attempt: number;
  /** The generation of the seat whose stream the leg gets. */
  generation: number;
  /** Null for the connection's choice. */
  phoneNumberId: number | null;
  maxDurationMs: number;
  ringingMs: number;
  limitBehindMs: number;
  detectsMachines: boolean;
  /**
   * A worker that may have claimed the dial died without an answer. The request may be sent again while the
   * carrier still recognizes its `command_id`.
   */
  hasLostAttempt?: boolean;
}

export type Dialed =
  | { kind: 'dialed'; leg: LegIds }
  /** No phone rang. `message` has its numbers masked; the call's record has the carrier's own words. */
  | {
      kind: 'refused';
      message: string;
      retryClass: RetryClass;
      /** Why a campaign's call may not be made now; no attempt is spent. */
      notDialed?: NotDialed;
    }
  /**
   * A phone may have rung: find out first. `hasFailed`: the carrier failed to dial a campaign's call, and is
   * asked about the leg until it answers.
   */
  | { kind: 'unknown'; hasFailed?: true };

/**
 * The carrier's maximum. A call that may be transferred gets it, because it may continue after the agent has left.
 */
const maxLegSeconds = 14_400;

/**
 * Dials the person at most once: it claims the dial in MySQL before it sends the request. A failure before
 * the claim means that no phone rang; a failure after it is `unknown` unless the carrier refused. A request
 * that a dead worker may have sent is sent again under the same `command_id` while the carrier treats the two
 * as one (`repeatableMs`), and never later.
 */
export async function dialCall({ deps, input }: { deps: PhoneDeps; input: DialCallInput }): Promise<Dialed> {
  const { callId: id, organizationId, callUuid, attempt } = input;
  const reference = legReference(callUuid, { role: 'main', attempt });
  const begunMs = deps.clock.now().getTime();
  const call = await getRow(deps.db.manager, calls, { id, organizationId });
  const policy = await readPolicy(deps.db.manager, organizationId);
  const prepared = await prepare({ deps, input, call, policy, reference }).catch(toRefusal);
  // A refused call claims its dial, too, so that no late attempt dials after this refusal.
  const countsForCaps = call.campaignId !== null;
  const { row, isFirst } = await claimDial(deps, input, { role: 'main', reference, countsForCaps });
  // guarantee: interrupted-dial-repeats-command-id
  if (!isFirst && !(input.hasLostAttempt === true && isRepeatable(row, deps.clock)))
    return { kind: 'unknown' };
  if ('kind' in prepared) return isFirst ? await refuse(deps, call, prepared) : { kind: 'unknown' };
  const taken = isFirst ? await takeDialOfDay(dialOf(deps, call, policy)) : null;
  if (taken?.kind === 'limit')
    return await refuse(deps, call, {
      kind: 'refused',
      message: reachedWords(taken.reached, taken.reached.until),
      retryClass: 'capacity',
      ...(call.campaignId === null ? {} : { notDialed: 'daily_limit' }),
    });
  const day = taken?.day ?? null;
  // This attempt has timed out, and another attempt may have sent the request since.
  // guarantee: paused-process-drops-stale-dial
  if (deps.clock.now().getTime() - begunMs > timeoutsMs.carrierCommandStartToClose)
    return { kind: 'unknown' };
  try {
    const leg = await prepared.carrier.dial(prepared.request);
    const answeredAt = deps.clock.now();
    await recordLeg(deps, input, { leg, row, callerNumber: prepared.request.from });
    await noteDialAnswered(deps, input, answeredAt);
    return { kind: 'dialed', leg };
  } catch (error) {
    if (!(error instanceof CarrierError)) return unknown(deps, input, row, error);
    if (error.outcome === 'unknown')
      return await carrierFailed(deps, { call, input, row, isFirst, error, day });
    await noteDialAnswered(deps, input, deps.clock.now());
    // The refusal of a repeat does not say what became of the first request.
    // guarantee: refused-repeat-is-unknown
    if (!isFirst) return unknown(deps, input, row, error);
    const message = error.carrierMessage ?? error.message;
    return await refuse(deps, call, { kind: 'refused', message, retryClass: retryClassOf(error) }, day);
  }
}

function retryClassOf({ outcome }: CarrierError): RetryClass {
  if (outcome === 'capacity') return 'capacity';
  return outcome === 'bad_number' ? 'never' : 'provider';
}

/**
 * How long after the claim a dial's request may be sent again. The carrier deduplicates requests by their
 * `command_id` for 60 s; the difference allows for network delay and clock skew.
 */
const repeatableMs = 40_000;

/** Whether the leg is unknown and the carrier would still recognize its first request, if it was sent. */
export function isRepeatable({ dialedAt, callControlId }: PhoneLegRow, clock: Clock): boolean {
  // guarantee: no-redial-after-command-id-expiry
  return (
    callControlId === null && dialedAt !== null && clock.now().getTime() - dialedAt.getTime() < repeatableMs
  );
}

type Refused = Extract<Dialed, { kind: 'refused' }>;

/** The client state of a dial. It finds the leg at the carrier if the answer to the dial is lost. */
export function dialState({
  callUuid,
  attempt,
  generation,
}: Pick<DialCallInput, 'callUuid' | 'attempt' | 'generation'>): string {
  return writeClientState({ reference: legReference(callUuid, { role: 'main', attempt }), generation });
}

function dialOf(
  { db, secrets, clock, limits }: PhoneDeps,
  { organizationId, versionId }: CallRow,
  policy: DialPolicy,
): Parameters<typeof takeDialOfDay>[0] {
  return { at: { db, organizationId, now: clock.now() }, policy, secrets, limits, versionId };
}

async function prepare({
  deps,
  input,
  call,
  policy,
  reference,
}: {
  deps: PhoneDeps;
  input: DialCallInput;
  call: CallRow;
  policy: DialPolicy;
  reference: string;
}): Promise<Refused | { carrier: CarrierPort; request: DialRequest }> {
  const { carrier, connectionId } = await openAccount(deps, input);
  const to = readDialed(call.calledNumber ?? '');
  const from = await findCallerNumber(deps.db.manager, deps.ids, input, input.phoneNumberId);
  if (to === null) throw new PreconditionError('the number cannot be dialed');
  if (from === null)
    throw new PreconditionError(
      input.phoneNumberId === null
        ? 'the connection has no active number to show'
        : 'the caller number of this call is no longer active',
    );
  // guarantee: dial-rule-checked-at-the-dial
  const fault = policyFault(policy, to);
  if (fault !== null)
    return {
      kind: 'refused',
      message: `this number is not dialed: ${dialFaultWords[fault]}`,
      retryClass: 'capacity',
      ...(call.campaignId === null ? {} : { notDialed: 'not_allowed' }),
    };
  const request: DialRequest = {
    connectionId,
    from,
    to,
    clientState: dialState(input),
    commandId: reference,
    stream: { url: await streamUrl({ deps, input }) },
    webhookUrl: eventsUrl(deps, carrier.provider, call.id),
    ringTimeoutSeconds: Math.min(600, Math.max(5, Math.round(input.ringingMs / 1000))),
    timeLimitSeconds: await timeLimitOf(deps, call, input),
    answeringMachineDetection: input.detectsMachines ? 'premium' : 'disabled',
    sendSilenceWhenIdle: true,
  };
  // guarantee: last-check-before-each-dial
  const forbidden = call.campaignId === null ? null : await deps.checkBeforeDial(call);
  if (forbidden !== null)
    return {
      kind: 'refused',
      message: notDialedWords[forbidden],
      retryClass: 'capacity',
      notDialed: forbidden,
    };
  return { carrier, request };
}

/** After this time the carrier ends the call, even if this service fails. It cannot be changed later. */
async function timeLimitOf(
  { db }: PhoneDeps,
  { versionId, organizationId }: CallRow,
  { maxDurationMs, limitBehindMs }: DialCallInput,
): Promise<number> {
  const transfers = await findRows(
    db,
    tools,
    { organizationId, category: 'transfer_call', state: 'active' },
    { select: ['uuid'] },
  );
  const usual = Math.min(maxLegSeconds, Math.max(60, Math.ceil((maxDurationMs + limitBehindMs) / 1000)));
  if (transfers.length === 0) return usual;
  const { definition } = await getRow(
    db.manager,
    agentVersions,
    { id: versionId, organizationId },
    { select: ['definition'] },
  );
  const text = JSON.stringify(definition);
  return transfers.some(({ uuid }) => text.includes(uuid)) ? maxLegSeconds : usual;
}

/** Turns a failed precondition into a refusal: no request was sent. Other errors, as of MySQL, pass. */
function toRefusal(error: unknown): Refused {
  if (error instanceof AppError && error.code === 'precondition')
    return { kind: 'refused', message: error.message, retryClass: 'provider' };
  throw error;
}

/**
 * Stores the carrier's own words in the call's record (contract 6.8). Removes the dial from the caps and from
 * its day, because no phone rang.
 */
async function refuse(
  { db }: PhoneDeps,
  { id, organizationId, campaignId }: CallRow,
  refused: Refused,
  day: string | null = null,
): Promise<Refused> {
  await inTransaction(db, async (tx) => {
    const { gatheredContext } = await getRow(tx, calls, { id, organizationId }, { isLocked: true });
    await updateRows(tx, calls, {
      where: { id, organizationId },
      change: {
        gatheredContext: { ...gatheredContext, error: `Failed to initiate call: ${refused.message}` },
      },
    });
    // guarantee: refused-dial-counts-for-no-cap
    if (campaignId !== null) await deleteRows(tx, numberDials, { callId: id, organizationId });
    // guarantee: refused-dial-counts-for-no-day
    if (day !== null) await returnDial({ db: tx, organizationId }, day);
  });
  return { ...refused, message: maskNumbers(refused.message) };
}

/**
 * A campaign waits for the carrier: if no request was ever sent, no phone rang; else the carrier is asked
 * until it answers. A single call gets `unknown` at once.
 */
async function carrierFailed(
  deps: PhoneDeps,
  {
    call,
    input,
    row,
    isFirst,
    error,
    day,
  }: {
    call: CallRow;
    input: DialCallInput;
    row: PhoneLegRow;
    isFirst: boolean;
    error: CarrierError;
    day: string | null;
  },
): Promise<Dialed> {
  await noteDialFault(deps, input);
  if (call.campaignId === null) return unknown(deps, input, row, error);
  if (error.neverSent && isFirst)
    return await refuse(
      deps,
      call,
      { kind: 'refused', message: error.message, retryClass: 'provider', notDialed: 'carrier_down' },
      day,
    );
  return { ...unknown(deps, input, row, error), hasFailed: true };
}

function unknown(
  { log }: PhoneDeps,
  { callId, organizationId }: DialCallInput,
  { id: legRowId }: PhoneLegRow,
  error: unknown,
): Extract<Dialed, { kind: 'unknown' }> {
  log.warn(
    {
      callId,
      organizationId,
      legRowId,
      fault: error instanceof AppError ? error.message : 'unexpected',
      pii: { error },
    },
    'The outcome of a dial is unknown',
  );
  return { kind: 'unknown' };
}
