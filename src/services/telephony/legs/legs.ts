import { IsNull, type EntityManager } from 'typeorm';
import { findRow, insertRows, updateRows } from '../../../db/rows.ts';
import { numberDials } from '../../../db/tables/number-dials.ts';
import { phoneLegs, type PhoneLegRow } from '../../../db/tables/phone-legs.ts';
import { calls } from '../../../db/tables/calls.ts';
import { inTransaction, isDuplicate } from '../../../db/transaction.ts';
import { InvariantError } from '../../../domain/errors.ts';
import { ownText } from '../../../domain/graph/definition.ts';
import { withCallerNumber } from '../../../domain/call/initial-context.ts';
import type { LegIds } from '../../../domain/telephony/carrier-event.ts';
import type { PhoneCallRef, PhoneDeps } from './deps.ts';

/**
 * Finds the row of a leg or creates it. References are unique, so every caller gets the same row for one leg.
 */
export async function ensureLeg(
  { db, clock }: Pick<PhoneDeps, 'db' | 'clock'>,
  { callId, organizationId, configurationId }: PhoneCallRef,
  { role, reference }: Pick<PhoneLegRow, 'role' | 'reference'>,
): Promise<PhoneLegRow> {
  const found = await findRow(db.manager, phoneLegs, { reference, organizationId });
  if (found !== null) return found;
  const row = {
    organizationId,
    callId,
    role,
    configurationId,
    reference,
    callControlId: null,
    legId: null,
    sessionId: null,
    state: 'new' as const,
    hangupCause: null,
    detection: null,
    dialedAt: null,
    answeredAt: null,
    endedAt: null,
    hangUpFrom: null,
    createdAt: clock.now(),
  };
  try {
    await inTransaction(db, (tx) => insertRows(tx, phoneLegs, [row]));
  } catch (error) {
    if (!isDuplicate(error, 'uq_phone_legs_reference')) throw error;
  }
  const made = await findRow(db.manager, phoneLegs, { reference, organizationId });
  if (made === null) throw new InvariantError('A leg of that reference belongs to another organization');
  return made;
}

/**
 * Claims the dial of the leg permanently. True: the caller sends the request. False: another caller has
 * claimed it, and this one must find out the outcome. A campaign's caps count from this time and not from the
 * claim of the target, because the phone may ring much later.
 */
export async function claimDial(
  { db, clock }: Pick<PhoneDeps, 'db' | 'clock'>,
  { id, organizationId, callId, role }: PhoneLegRow,
): Promise<boolean> {
  const dialedAt = clock.now();
  return await inTransaction(db, async (tx) => {
    const claimed = await updateRows(tx, phoneLegs, {
      // guarantee: callee-rung-once-per-call
      where: { id, organizationId, dialedAt: IsNull() },
      change: { dialedAt, state: 'dialing' },
    });
    // guarantee: caps-count-from-the-dial
    if (claimed === 1 && role === 'main')
      await updateRows(tx, numberDials, { where: { callId, organizationId }, change: { dialedAt } });
    return claimed === 1;
  });
}

/** Stores the carrier's ids of the leg, unless an event has supplied them already. */
export async function noteLegIds(
  tx: EntityManager,
  { id, organizationId }: Pick<PhoneLegRow, 'id' | 'organizationId'>,
  { callControlId, legId, sessionId }: LegIds,
): Promise<void> {
  await updateRows(tx, phoneLegs, {
    where: { id, organizationId, callControlId: IsNull() },
    change: { callControlId, legId, sessionId },
  });
}

/** Records that we ended the leg. */
export async function noteLegOver(
  tx: EntityManager,
  { id, organizationId }: Pick<PhoneLegRow, 'id' | 'organizationId'>,
  at: Date,
): Promise<void> {
  await updateRows(tx, phoneLegs, {
    where: { id, organizationId, endedAt: IsNull() },
    change: { state: 'ended', endedAt: at },
  });
}

/**
 * Gives up the leg: the call no longer handles its events, and the leg is hung up if it proves to be live
 * (`endGivenUpLeg`).
 */
export async function giveUpLeg(
  { db, clock }: Pick<PhoneDeps, 'db' | 'clock'>,
  { id, organizationId }: Pick<PhoneLegRow, 'id' | 'organizationId'>,
): Promise<void> {
  await inTransaction(db, (tx) =>
    updateRows(tx, phoneLegs, { where: { id, organizationId }, change: { hangUpFrom: clock.now() } }),
  );
}

/**
 * Stores what is known of a call once its leg exists (contract 5.3, row 5; 6.5): the carrier's ids, what
 * triggered the call, and for an outgoing call the number that the callee sees.
 */
export async function recordLeg(
  deps: Pick<PhoneDeps, 'db'>,
  { callId: id, organizationId }: PhoneCallRef,
  { leg, row, callerNumber }: { leg: LegIds; row: PhoneLegRow; callerNumber: string | null },
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    await noteLegIds(tx, row, leg);
    const call = await findRow(tx, calls, { id, organizationId }, { isLocked: true });
    if (call === null || call.variablesErasedAt !== null) return;
    const { initialContext, gatheredContext, mode, source } = call;
    const trigger = ownText(initialContext, 'agent_uuid');
    const facts = {
      provider: mode,
      triggered_by: source === 'inbound' ? 'inbound' : 'api',
      call_id: leg.callControlId,
      call_control_id: leg.callControlId,
      call_leg_id: leg.legId,
      call_session_id: leg.sessionId,
      ...(trigger === undefined || trigger === null ? {} : { trigger_uuid: trigger }),
    };
    const change = {
      gatheredContext: { ...gatheredContext, ...facts },
      ...(callerNumber === null
        ? {}
        : { callerNumber, initialContext: withCallerNumber(initialContext, callerNumber) }),
    };
    await updateRows(tx, calls, { where: { id, organizationId }, change });
  });
}
