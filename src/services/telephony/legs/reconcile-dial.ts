import { findRow } from '../../../db/rows.ts';
import { calls } from '../../../db/tables/calls.ts';
import { phoneLegs } from '../../../db/tables/phone-legs.ts';
import type { LegIds } from '../../../domain/telephony/carrier-event.ts';
import { legReference } from '../../../domain/telephony/client-state.ts';
import { findCallerNumber } from './caller-number.ts';
import type { PhoneDeps } from './deps.ts';
import { dialState, isRepeatable, type DialCallInput } from './dial-call.ts';
import { openAccount } from '../accounts/open-account.ts';
import { recordLeg } from './legs.ts';

export type ReconciledDial =
  | { kind: 'dialed'; leg: LegIds }
  /** The request was not sent, or the carrier would still recognize it: it may be sent. */
  | { kind: 'not_dialed' }
  /** The request may have been sent, but the carrier knows no such leg now. */
  | { kind: 'unknown'; isAbsent?: true };

/**
 * Finds the outcome of a dial whose answer was lost: first in the stored events, then at the carrier. Never
 * dials.
 */
export async function reconcileDial({
  deps,
  input,
}: {
  deps: PhoneDeps;
  input: DialCallInput;
}): Promise<ReconciledDial> {
  const { callUuid, organizationId, attempt } = input;
  const row = await findRow(deps.db.manager, phoneLegs, {
    reference: legReference(callUuid, { role: 'main', attempt }),
    organizationId,
  });
  if (row?.dialedAt == null) return { kind: 'not_dialed' };
  const { callControlId, legId, sessionId } = row;
  const known = callControlId === null ? await atCarrier(deps, input) : { callControlId, legId, sessionId };
  if (known === null && input.hasLostAttempt === true && isRepeatable(row, deps.clock))
    return { kind: 'not_dialed' };
  if (known === null) return { kind: 'unknown', isAbsent: true };
  await recordLeg(deps, input, { leg: known, row, callerNumber: await shownNumber(deps, input) });
  return { kind: 'dialed', leg: known };
}

async function atCarrier(deps: PhoneDeps, input: DialCallInput): Promise<LegIds | null> {
  const { carrier, connectionId } = await openAccount(deps, input);
  return await carrier.findLeg({ connectionId, clientState: dialState(input) });
}

/** The number that the callee saw. If it was not stored, one of the active numbers, chosen at random. */
async function shownNumber({ db, ids }: PhoneDeps, input: DialCallInput): Promise<string | null> {
  const call = await findRow(db.manager, calls, { id: input.callId, organizationId: input.organizationId });
  return call?.callerNumber ?? (await findCallerNumber(db.manager, ids, input, input.phoneNumberId));
}
