import { findRow } from '../../../db/rows.ts';
import { calls } from '../../../db/tables/calls.ts';
import { phoneLegs } from '../../../db/tables/phone-legs.ts';
import { ownText } from '../../../domain/graph/definition.ts';
import type { LegIds } from '../../../domain/telephony/carrier-event.ts';
import { legReference } from '../../../domain/telephony/client-state.ts';
import { findCallerNumber } from './caller-number.ts';
import type { PhoneDeps } from './deps.ts';
import { dialState, isRepeatable, type DialCallInput } from './dial-call.ts';
import { openLine } from '../accounts/open-line.ts';
import { noteLine } from './legs.ts';

export type ReconciledDial =
  | { kind: 'dialed'; leg: LegIds }
  /** The request never went out, or is one that the carrier would know again: it may be sent. */
  | { kind: 'not_dialed' }
  /** It may have gone out; the carrier was asked, and knows of no such leg, now. */
  | { kind: 'unknown'; isAbsent?: true };

/**
 * Looks what became of a dial whose answer was lost: in what events have told, then at the carrier. Never
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
  if (known === null && input.isUnheard === true && isRepeatable(row, deps.clock))
    return { kind: 'not_dialed' };
  if (known === null) return { kind: 'unknown', isAbsent: true };
  await noteLine(deps, input, { leg: known, row, callerNumber: await shownNumber(deps, input) });
  return { kind: 'dialed', leg: known };
}

async function atCarrier(deps: PhoneDeps, input: DialCallInput): Promise<LegIds | null> {
  const { carrier, connectionId } = await openLine(deps, input);
  return await carrier.findLeg({ connectionId, clientState: dialState(input) });
}

/** What the person was shown, as far as it can be told: one of several active numbers was drawn by lot. */
async function shownNumber({ db, ids }: PhoneDeps, input: DialCallInput): Promise<string | null> {
  const call = await findRow(db.manager, calls, { id: input.callId, organizationId: input.organizationId });
  const noted = call === null ? null : ownText(call.initialContext, 'caller_number');
  if (noted != null) return noted;
  return (await findCallerNumber(db.manager, ids, input, input.phoneNumberId))?.addressNormalized ?? null;
}
