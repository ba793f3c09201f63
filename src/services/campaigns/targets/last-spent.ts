import { In, type EntityManager } from 'typeorm';
import { findRows } from '../../../db/rows.ts';
import { campaignAttempts } from '../../../db/tables/campaign-attempts.ts';
import type { TargetOutcome } from '../../../domain/campaign/outcome.ts';

interface Rows {
  campaignId: number;
  organizationId: number;
  rowNumbers: readonly number[];
}

/**
 * What the last attempt of each of these rows came to, by row: tries behind it that spent none, as one in a
 * pause, are passed over.
 */
export async function lastSpentOutcomes(
  tx: EntityManager,
  { campaignId, organizationId, rowNumbers }: Rows,
): Promise<Map<number, TargetOutcome>> {
  if (rowNumbers.length === 0) return new Map();
  const spent = await findRows(
    tx,
    campaignAttempts,
    { campaignId, organizationId, rowNumber: In([...rowNumbers]), isSpent: true },
    { select: ['rowNumber', 'tryNumber', 'outcome'], order: { rowNumber: 'ASC', tryNumber: 'ASC' } },
  );
  return new Map(
    spent.flatMap(({ rowNumber, outcome }) => (outcome === null ? [] : [[rowNumber, outcome] as const])),
  );
}
