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
 * The outcome of the last spent attempt of each of these rows, by row. Later attempts that were not spent, as
 * in a pause, are skipped.
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
    { select: ['rowNumber', 'attemptNumber', 'outcome'], order: { rowNumber: 'ASC', attemptNumber: 'ASC' } },
  );
  return new Map(
    spent.flatMap(({ rowNumber, outcome }) => (outcome === null ? [] : [[rowNumber, outcome] as const])),
  );
}
