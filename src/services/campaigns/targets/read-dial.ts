import type { EntityManager } from 'typeorm';
import { findRow } from '../../../db/rows.ts';
import { phoneLegs } from '../../../db/tables/phone-legs.ts';

/** Whether a call dialed its person, and whether the carrier ever confirmed that it took the dial. */
export async function readDial(
  tx: EntityManager,
  { callId, organizationId }: { callId: number; organizationId: number },
): Promise<{ wasDialed: boolean; isInDoubt: boolean }> {
  const leg = await findRow(tx, phoneLegs, { callId, organizationId, role: 'main' });
  const wasDialed = leg !== null && leg.dialedAt !== null;
  return { wasDialed, isInDoubt: wasDialed && leg.callControlId === null };
}
