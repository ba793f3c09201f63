import type { RetentionPolicy } from '../../../contract/retention.ts';
import type { RetentionPolicyRow } from '../../../db/tables/retention-policies.ts';
import { wireTimestamp } from '../../kernel/index.ts';

export function toRetentionPolicy(row: RetentionPolicyRow | null): RetentionPolicy {
  const timestamp = (at: Date | null | undefined) => (at == null ? null : wireTimestamp(at));
  return {
    transcript_days: row?.transcriptDays ?? null,
    recording_days: row?.recordingDays ?? null,
    variable_days: row?.variableDays ?? null,
    updated_at: timestamp(row?.updatedAt),
    applied_at: timestamp(row?.appliedAt),
  };
}
