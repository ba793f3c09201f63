import type { RetentionPolicy } from '../../../contract/retention.ts';
import { validationRecord } from '../../../contract/lax/records.ts';
import { findRow, upsertRows } from '../../../db/rows.ts';
import { retentionPolicies, type RetentionPolicyRow } from '../../../db/tables/retention-policies.ts';
import { ValidationError } from '../../../domain/errors.ts';
import { appendAudit, lockOrganization, type ServiceContext, write } from '../../kernel/index.ts';
import { toRetentionPolicy } from './mapper.ts';

export type RetentionAges = Pick<RetentionPolicyRow, 'transcriptDays' | 'recordingDays' | 'variableDays'>;

/**
 * Replaces the organization's policy. Throws ValidationError if variables would be removed before the
 * transcripts and recordings that they find.
 */
export async function setRetentionPolicy({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: RetentionAges;
}): Promise<RetentionPolicy> {
  requireVariablesLast(input);
  const { organizationId } = ctx;
  return await write(ctx, async (tx) => {
    await lockOrganization(tx, { organizationId });
    const before = await findRow(tx, retentionPolicies, { organizationId });
    const row: RetentionPolicyRow = {
      organizationId,
      ...input,
      updatedAt: ctx.clock.now(),
      appliedAt: before?.appliedAt ?? null,
    };
    await upsertRows(tx, retentionPolicies, [row]);
    await appendAudit(tx, {
      action: 'retention_policy.set',
      subjectKind: 'organization',
      subjectId: organizationId,
      states: { before: agesOf(before), after: agesOf(row) },
    });
    return toRetentionPolicy(row);
  });
}

/** Variables find a person's calls, so transcripts and recordings must not outlive them. */
function requireVariablesLast({ transcriptDays, recordingDays, variableDays }: RetentionAges): void {
  if (variableDays === null) return;
  const longest = Math.max(transcriptDays ?? Infinity, recordingDays ?? Infinity);
  if (variableDays >= longest) return;
  const msg =
    "Value error, variables must be kept at least as long as transcripts and recordings, because a person's calls are found by them";
  throw new ValidationError('The retention policy is invalid', {
    detail: [
      validationRecord(['body', 'variable_days'], {
        type: 'value_error',
        msg,
        input: variableDays,
        ctx: { error: {} },
      }),
    ],
  });
}

/** The ages under their wire names. */
function agesOf(row: RetentionAges | null): object {
  return {
    transcript_days: row?.transcriptDays ?? null,
    recording_days: row?.recordingDays ?? null,
    variable_days: row?.variableDays ?? null,
  };
}
