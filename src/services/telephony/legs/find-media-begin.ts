import { findRow } from '../../../db/rows.ts';
import { callSeats } from '../../../db/tables/call-seats.ts';
import type { PhoneDeps } from './deps.ts';

/**
 * When the stream of a call began, ISO 8601; null while it has not. A carrier begins it when somebody answers
 * (contract 12.4), so it tells of an answer whose own notice was lost.
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
