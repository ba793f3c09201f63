import { IsNull, type EntityManager } from 'typeorm';
import { type Db, findRow, insertRow, updateRows } from '../../../db/rows.ts';
import { numberDials } from '../../../db/tables/number-dials.ts';
import { phoneLegs, type PhoneLegRow } from '../../../db/tables/phone-legs.ts';
import { calls } from '../../../db/tables/calls.ts';
import { inTransaction, isDuplicate } from '../../../db/transaction.ts';
import { translateUnavailable } from '../../../db/unavailable.ts';
import { InvariantError } from '../../../domain/errors.ts';
import { ownText } from '../../../domain/graph/definition.ts';
import { withCallerNumber } from '../../../domain/call/initial-context.ts';
import type { LegIds } from '../../../domain/telephony/carrier-event.ts';
import type { PhoneCallRef, PhoneDeps } from './deps.ts';

/** A leg by our reference to it. References are unique, so every caller gets the same row for one leg. */
type LegName = Pick<PhoneLegRow, 'role' | 'reference'>;

/** Finds the row of a leg or creates it. */
export async function ensureLeg(
  { db, clock }: Pick<PhoneDeps, 'db' | 'clock'>,
  call: PhoneCallRef,
  leg: LegName,
): Promise<PhoneLegRow> {
  const made = await insertLeg(db, { ...newLeg(call, leg, clock.now()), dialedAt: null, state: 'new' });
  return made ?? (await legOf(db, call, leg));
}

/**
 * Claims the dial of a leg permanently, and creates its row. `isFirst`: the caller sends the request.
 * Otherwise another caller has claimed it, and this one must find out the outcome. A campaign's caps count
 * from this time and not from the claim of the target, because the phone may ring much later.
 */
export async function claimDial(
  { db, clock }: Pick<PhoneDeps, 'db' | 'clock'>,
  call: PhoneCallRef,
  { role, reference, countsForCaps }: LegName & { countsForCaps: boolean },
): Promise<{ row: PhoneLegRow; isFirst: boolean }> {
  const dialedAt = clock.now();
  const claim = { dialedAt, state: 'dialing' } as const;
  const { callId, organizationId } = call;
  const count = async (tx: EntityManager) => {
    // guarantee: caps-count-from-the-dial
    if (countsForCaps)
      await updateRows(tx, numberDials, { where: { callId, organizationId }, change: { dialedAt } });
  };
  const leg = { ...newLeg(call, { role, reference }, dialedAt), ...claim };
  const made = countsForCaps
    ? await inTransaction(db, async (tx) => {
        const inserted = await insertLeg(tx, leg);
        if (inserted !== null) await count(tx);
        return inserted;
      })
    : await insertLeg(db, leg);
  if (made !== null) return { row: made, isFirst: true };
  const row = await legOf(db, call, { role, reference });
  const isFirst = await inTransaction(db, async (tx) => {
    const claimed = await updateRows(tx, phoneLegs, {
      // guarantee: callee-rung-once-per-call
      where: { id: row.id, organizationId, dialedAt: IsNull() },
      change: claim,
    });
    if (claimed === 1) await count(tx);
    return claimed === 1;
  });
  return { row, isFirst };
}

function newLeg(
  { callId, organizationId, configurationId }: PhoneCallRef,
  { role, reference }: LegName,
  createdAt: Date,
) {
  return {
    organizationId,
    callId,
    role,
    configurationId,
    reference,
    callControlId: null,
    legId: null,
    sessionId: null,
    hangupCause: null,
    detection: null,
    answeredAt: null,
    endedAt: null,
    hangUpFrom: null,
    createdAt,
  };
}

/** Null if there is a leg of that reference. */
async function insertLeg(db: Db, leg: Omit<PhoneLegRow, 'id'>): Promise<PhoneLegRow | null> {
  try {
    return await insertRow(db, phoneLegs, leg);
  } catch (error) {
    if (isDuplicate(error, 'uq_phone_legs_reference')) return null;
    throw translateUnavailable(error);
  }
}

async function legOf(db: Db, { organizationId }: PhoneCallRef, { reference }: LegName): Promise<PhoneLegRow> {
  const row = await findRow(db, phoneLegs, { reference, organizationId });
  if (row === null) throw new InvariantError('A leg of that reference belongs to another organization');
  return row;
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
    const call = await findRow(
      tx,
      calls,
      { id, organizationId },
      {
        select: ['initialContext', 'gatheredContext', 'mode', 'source', 'variablesErasedAt'],
        isLocked: true,
      },
    );
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
