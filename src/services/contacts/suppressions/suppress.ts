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
  /** Numbers that were on the list before; they keep their reason and their moment. */
  alreadyThere: number;
  /** Targets of campaigns that are not dialed any more. */
  targets: number;
}

/**
 * Puts numbers on the list of an organization, in the caller's transaction. Whatever of its campaigns was to
 * dial them is over from then on; a call that goes on is left alone. Numbers in one order, so that two that
 * add the same ones do not wait for each other in a circle.
 */
export async function suppress(tx: EntityManager, input: NewSuppressions): Promise<Suppressed> {
  const phones = input.phones.toSorted();
  if (phones.length === 0) return { added: 0, alreadyThere: 0, targets: 0 };
  const added = await insertNew(tx, { ...input, phones });
  const targets = await updateRows(tx, campaignTargets, {
    // guarantee: suppression-ends-all-targets
    where: { organizationId: input.organizationId, phone: In(phones), state: In(['queued', 'waiting']) },
    // guarantee: suppressed-target-ends-alike
    change: suppressedTarget(input.at),
  });
  return { added, alreadyThere: phones.length - added, targets };
}

/** What becomes of a row whose number is not to be dialed, whoever notices first. */
export const suppressedTarget = (at: Date) =>
  ({ state: 'failed', outcome: 'suppressed', dueAt: null, waitReason: null, settledAt: at }) as const;

/** One statement for all of them; IGNORE passes over those that are there. */
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
