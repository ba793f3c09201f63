import type { Suppression } from '../../../contract/suppressions.ts';
import type { SuppressionRow } from '../../../db/tables/suppressions.ts';
import { wireTimestamp } from '../../kernel/index.ts';

export function toSuppression({
  id,
  phone,
  source,
  reason,
  callId,
  createdByUserId,
  createdAt,
}: SuppressionRow): Suppression {
  return {
    id,
    phone_number: phone,
    source,
    reason: reason === '' ? null : reason,
    run_id: callId,
    created_by: createdByUserId,
    created_at: wireTimestamp(createdAt),
  };
}

export const exportHeader = ['phone_number', 'source', 'reason', 'run_id', 'created_at'] as const;

/** The same, as a line of the CSV file. */
export function toExportRow(row: SuppressionRow): string[] {
  const { phone_number, source, reason, run_id, created_at } = toSuppression(row);
  return [phone_number, source, reason ?? '', run_id === null ? '' : String(run_id), created_at];
}
