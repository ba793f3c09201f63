import { In, type EntityManager } from 'typeorm';
import { changeRows, updateRows } from '../../../db/rows.ts';
import { campaignTargets } from '../../../db/tables/campaign-targets.ts';
import type { SuppressionRow } from '../../../db/tables/suppressions.ts';

export interface NewSuppressions extends Pick<
  SuppressionRow,
  'organizationId' | 'source' | 'reason' | 'callId' | 'createdByUserId'
> {
  /** Digits with country code, each once; at most some thousands. */
  phones: readonly string[];
  at: Date;
}

export interface Suppressed {
  added: number;
  /** Numbers that were already on the list. They keep their reason and their timestamp. */
  alreadyThere: number;
  /** Targets of campaigns that will no longer be dialed. */
  targets: number;
}

/**
 * Adds numbers to an organization's list, in the caller's transaction. Targets of its campaigns with these
 * numbers end; a live call is not affected. The numbers are sorted, so that two concurrent additions do not
 * deadlock.
 */
export async function suppress(tx: EntityManager, input: NewSuppressions): Promise<Suppressed> {
  const phones = input.phones.toSorted();
  if (phones.length === 0) return { added: 0, alreadyThere: 0, targets: 0 };
  const added = await insertNew(tx, { ...input, phones });
  const targets = await updateRows(tx, campaignTargets, {
    where: {
      organizationId: input.organizationId,
      phone: In(phones),
      // guarantee: suppression-ends-all-targets
      state: In(['queued', 'waiting']),
    },
    // guarantee: suppressed-target-ends-alike
    change: suppressedTarget(input.at),
  });
  return { added, alreadyThere: phones.length - added, targets };
}

/** The change of a target whose number must not be dialed, whichever process notices first. */
export const suppressedTarget = (at: Date) =>
  ({ state: 'failed', outcome: 'suppressed', dueAt: null, waitReason: null, settledAt: at }) as const;

/** One statement for all of them. IGNORE skips those that are already there. */
async function insertNew(
  tx: EntityManager,
  { organizationId, phones, source, reason, callId, createdByUserId, at }: NewSuppressions,
): Promise<number> {
  const rows = phones.map(() => '(?, ?, ?, ?, ?, ?, ?)').join(', ');
  const values = phones.flatMap((phone) => [
    organizationId,
    phone,
    source,
    reason,
    callId,
    createdByUserId,
    at,
  ]);
  const sql = `INSERT IGNORE INTO suppressions (organization_id, phone, source, reason, call_id, created_by_user_id, created_at) VALUES ${rows}`;
  const affectedRows = await changeRows(tx, { organizationId, sql, values });
  return affectedRows;
}
