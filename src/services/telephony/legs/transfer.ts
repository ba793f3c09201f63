import { findRow, getRow } from '../../../db/rows.ts';
import { calls } from '../../../db/tables/calls.ts';
import type { PhoneLegRow } from '../../../db/tables/phone-legs.ts';
import { toolRuns } from '../../../db/tables/tool-runs.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { CarrierError } from '../../../domain/telephony/carrier-error.ts';
import type { LegIds } from '../../../domain/telephony/carrier-event.ts';
import { legReference, writeClientState } from '../../../domain/telephony/client-state.ts';
import type { TransferFailure } from '../../../domain/telephony/transfer-result.ts';
import { returnDial } from '../../identity/index.ts';
import { policyFault, takeDialOfDay } from '../dial-rule/dial-rule.ts';
import { readPolicy } from '../dial-rule/read-policy.ts';
import { findCallerNumber } from './caller-number.ts';
import type { PhoneCallRef, PhoneDeps } from './deps.ts';
import { openAccount } from '../accounts/open-account.ts';
import { transferUrl } from './internal.ts';
import { claimDial, giveUpLeg, noteLegIds } from './legs.ts';
import { keptDestination } from './kept-destination.ts';

export interface DialTransferInput extends PhoneCallRef {
  /** Which tool run holds the destination: that of the tool call at a place, or of a supervisor's request. */
  kept: { branch: number; turnIndex: number; callIndex: number } | { toolUuid: string };
  /** Counts the call's transfer legs, from 1. */
  attempt: number;
  phoneNumberId: number | null;
  timeoutSeconds: number;
}

export type TransferDialed = { kind: 'dialed'; leg: LegIds } | { kind: 'failed'; reason: TransferFailure };

/** The carrier's maximum for the time that a destination talks with a caller. */
const maxLegSeconds = 14_400;

/** Dials the destination of a transfer at most once; a repeated run looks for the leg instead. */
export async function dialTransfer({
  deps,
  input,
}: {
  deps: PhoneDeps;
  input: DialTransferInput;
}): Promise<TransferDialed> {
  const { callId, organizationId, callUuid, kept, attempt } = input;
  const reference = legReference(callUuid, { role: 'transfer', attempt });
  const run = await findRow(deps.db.manager, toolRuns, { callId, organizationId, ...kept });
  const to = keptDestination(run?.result ?? null);
  if (to === null) return { kind: 'failed', reason: 'no_destination' };
  const policy = await readPolicy(deps.db.manager, organizationId);
  // guarantee: dial-rule-checked-at-the-transfer
  if (policyFault(policy, to) !== null) return { kind: 'failed', reason: 'destination_not_allowed' };
  const { carrier, connectionId } = await openAccount(deps, input);
  const call = await getRow(deps.db.manager, calls, { id: callId, organizationId });
  const from =
    (call.direction === 'inbound' ? call.calledNumber : call.callerNumber) ??
    (await findCallerNumber(deps.db.manager, deps.ids, input, input.phoneNumberId));
  if (from === null) return { kind: 'failed', reason: 'provider_error' };
  const clientState = writeClientState({ reference, generation: null });
  const { row, isFirst } = await claimDial(deps, input, {
    role: 'transfer',
    reference,
    countsForCaps: false,
  });
  if (!isFirst) return await found(deps, row, await carrier.findLeg({ connectionId, clientState }));
  const { db, secrets, limits } = deps;
  const at = { db, organizationId, now: deps.clock.now() };
  const taken = await takeDialOfDay({ at, policy, secrets, limits, versionId: null });
  if (taken.kind === 'limit') return { kind: 'failed', reason: 'daily_limit' };
  try {
    const leg = await carrier.dial({
      connectionId,
      from,
      to,
      clientState,
      commandId: reference,
      stream: null,
      webhookUrl: transferUrl(deps, carrier.provider, reference),
      ringTimeoutSeconds: input.timeoutSeconds,
      timeLimitSeconds: maxLegSeconds,
      answeringMachineDetection: 'disabled',
      sendSilenceWhenIdle: false,
    });
    await inTransaction(deps.db, (tx) => noteLegIds(tx, row, leg));
    return { kind: 'dialed', leg };
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error;
    if (error.outcome === 'unknown')
      return await found(deps, row, await carrier.findLeg({ connectionId, clientState }));
    await returnDial({ db, organizationId }, taken.day);
    return { kind: 'failed', reason: 'provider_error' };
  }
}

/** Gives up a leg that was not found: it may still ring, and the call continues without it. */
async function found(deps: PhoneDeps, row: PhoneLegRow, leg: LegIds | null): Promise<TransferDialed> {
  if (leg !== null) return { kind: 'dialed', leg };
  await giveUpLeg(deps, row);
  return { kind: 'failed', reason: 'provider_error' };
}

export interface ConnectTransferInput extends PhoneCallRef {
  attempt: number;
  /** The caller's leg. */
  callControlId: string;
  /** The destination's leg, which has answered. */
  destinationControlId: string;
}

export type Connected =
  | { kind: 'connected' }
  | { kind: 'caller_gone' }
  | { kind: 'failed'; reason: TransferFailure };

/**
 * Joins the caller to the destination in a conference, which is made of the destination's leg and ends with
 * the caller's. Ends the agent's stream first, so that the agent does not talk into the conference.
 */
export async function connectTransfer({
  deps,
  input,
}: {
  deps: PhoneDeps;
  input: ConnectTransferInput;
}): Promise<Connected> {
  const { callUuid, attempt, callControlId, destinationControlId } = input;
  const { carrier } = await openAccount(deps, input);
  const reference = legReference(callUuid, { role: 'transfer', attempt });
  const commandId = (command: string) => `${reference}.${command}`;
  try {
    const { conferenceId } = await carrier.createConference({
      callControlId: destinationControlId,
      commandId: commandId('conference'),
      name: reference,
    });
    await carrier.stopPlayback({ callControlId, commandId: commandId('unhold') });
    await carrier.stopStreaming({ callControlId, commandId: commandId('unstream') });
    const joined = await carrier.joinConference({
      callControlId,
      commandId: commandId('join'),
      conferenceId,
      endsConference: true,
    });
    return joined === 'over' ? { kind: 'caller_gone' } : { kind: 'connected' };
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error;
    return { kind: 'failed', reason: 'conference_create_failed' };
  }
}
