import type { RetentionPolicy } from '../../../contract/retention.ts';
import { validationRecord } from '../../../contract/lax/records.ts';
import { findRow, getRow, upsertRows } from '../../../db/rows.ts';
import { organizations } from '../../../db/tables/organizations.ts';
import { retentionPolicies, type RetentionPolicyRow } from '../../../db/tables/retention-policies.ts';
import { ValidationError } from '../../../domain/errors.ts';
import { appendAudit, type ServiceContext, write } from '../../kernel/index.ts';
import { toRetentionPolicy } from './mapper.ts';

export type RetentionAges = Pick<RetentionPolicyRow, 'transcriptDays' | 'recordingDays' | 'variableDays'>;

/**
 * Replaces the organization's policy. Throws ValidationError when variables would go before what is found by
 * them.
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
    await getRow(tx, organizations, { id: organizationId }, { isLocked: true });
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

/** A person's calls are found by their variables: what was said must not outlive these. */
function requireVariablesLast({ transcriptDays, recordingDays, variableDays }: RetentionAges): void {
  if (variableDays === null) return;
  const longest = Math.max(transcriptDays ?? Infinity, recordingDays ?? Infinity);
  if (variableDays >= longest) return;
  const msg =
    "Value error, variables must be kept at least as long as transcripts and recordings, because a person's calls are found by them";
  throw new ValidationError('The policy is not possible', {
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

/** By the names of the wire. */
function agesOf(row: RetentionAges | null): object {
  return {
    transcript_days: row?.transcriptDays ?? null,
    recording_days: row?.recordingDays ?? null,
    variable_days: row?.variableDays ?? null,
  };
}
