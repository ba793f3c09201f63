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
import type { LineRef, PhoneDeps } from './deps.ts';

/**
 * The row of a leg, made when it is asked for the first time. Its reference is unique: the same leg is the
 * same row.
 */
export async function ensureLeg(
  { db, clock }: Pick<PhoneDeps, 'db' | 'clock'>,
  { callId, organizationId, configurationId }: LineRef,
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
 * Takes the right to dial the leg, for ever. Whoever gets true sends the request; who gets false must look
 * what became of it. Caps of campaigns count from this moment, and not from the one in which the row was
 * taken: the phone may ring much later.
 */
export async function claimDial(
  { db, clock }: Pick<PhoneDeps, 'db' | 'clock'>,
  { id, organizationId, callId, role }: PhoneLegRow,
): Promise<boolean> {
  const dialedAt = clock.now();
  return await inTransaction(db, async (tx) => {
    const claimed = await updateRows(tx, phoneLegs, {
      // guarantee: nobody-rung-twice-one
      where: { id, organizationId, dialedAt: IsNull() },
      change: { dialedAt, state: 'dialing' },
    });
    // guarantee: caps-count-from-when
    if (claimed === 1 && role === 'main')
      await updateRows(tx, numberDials, { where: { callId, organizationId }, change: { dialedAt } });
    return claimed === 1;
  });
}

/** Notes how the carrier calls the leg, unless an event has told it already. */
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

/** Notes that the leg is over by our own doing. */
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
 * From now on nobody of the call looks after the leg: when it turns out to live it is hung up
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
 * What a call knows once its line is there (contract 5.3, row 5; 6.5): the carrier's ids, how it came about,
 * and for a call that was dialed the number that the person sees.
 */
export async function noteLine(
  deps: Pick<PhoneDeps, 'db'>,
  { callId: id, organizationId }: LineRef,
  { leg, row, callerNumber }: { leg: LegIds; row: PhoneLegRow; callerNumber: string | null },
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    await noteLegIds(tx, row, leg);
    const call = await findRow(tx, calls, { id, organizationId }, { isLocked: true });
    if (call === null || call.variablesErasedAt !== null) return;
    const { initialContext, gatheredContext, mode, source } = call;
    const trigger = ownText(initialContext, 'agent_uuid');
    const line = {
      provider: mode,
      triggered_by: source === 'inbound' ? 'inbound' : 'api',
      call_id: leg.callControlId,
      call_control_id: leg.callControlId,
      call_leg_id: leg.legId,
      call_session_id: leg.sessionId,
      ...(trigger === undefined || trigger === null ? {} : { trigger_uuid: trigger }),
    };
    const change = {
      gatheredContext: { ...gatheredContext, ...line },
      ...(callerNumber === null
        ? {}
        : { callerNumber, initialContext: withCallerNumber(initialContext, callerNumber) }),
    };
    await updateRows(tx, calls, { where: { id, organizationId }, change });
  });
}
