import type { RetentionPolicy } from '../../../contract/retention.ts';
import type { RetentionPolicyRow } from '../../../db/tables/retention-policies.ts';
import { wireMoment } from '../../kernel/index.ts';

export function toRetentionPolicy(row: RetentionPolicyRow | null): RetentionPolicy {
  const moment = (at: Date | null | undefined) => (at == null ? null : wireMoment(at));
  return {
    transcript_days: row?.transcriptDays ?? null,
    recording_days: row?.recordingDays ?? null,
    variable_days: row?.variableDays ?? null,
    updated_at: moment(row?.updatedAt),
    applied_at: moment(row?.appliedAt),
  };
}
