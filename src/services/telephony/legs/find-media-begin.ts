import { findRow } from '../../../db/rows.ts';
import { callSeats } from '../../../db/tables/call-seats.ts';
import type { PhoneDeps } from './deps.ts';

/**
 * When the stream of a call began, ISO 8601; null if it has not begun. The carrier begins it when the call is
 * answered (contract 12.6), so it proves an answer even if the carrier's event was lost.
 */
export async function findMediaBegin({
  deps: { db },
  input: { callId, organizationId },
}: {
  deps: Pick<PhoneDeps, 'db'>;
  input: { callId: number; organizationId: number };
}): Promise<string | null> {
  const seat = await findRow(db.manager, callSeats, { callId, organizationId });
  return seat?.mediaBeganAt?.toISOString() ?? null;
}
