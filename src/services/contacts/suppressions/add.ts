import { In } from 'typeorm';
import type { SuppressedNumbers } from '../../../contract/suppressions.ts';
import { findRows } from '../../../db/rows.ts';
import { suppressions } from '../../../db/tables/suppressions.ts';
import { appendAudit, type ServiceContext, type Write, write } from '../../kernel/index.ts';
import { toSuppression } from './mapper.ts';
import { readNumbers } from './read-numbers.ts';
import { suppress } from './suppress.ts';

export interface AddSuppressionsInput {
  /** In any form of contract 5.4. */
  numbers: readonly string[];
  reason: string | null;
}

/**
 * Adds numbers to the organization's list: all of them, or none. A repeated request changes nothing. The
 * audit event has only the count: a number is only in its own row. Throws ValidationError for invalid
 * numbers.
 */
export async function addSuppressions({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: AddSuppressionsInput;
}): Promise<SuppressedNumbers> {
  const phones = readNumbers(input.numbers);
  return await write(ctx, (tx) => addWithin(tx, ctx, { phones, reason: input.reason ?? '' }));
}

async function addWithin(
  tx: Write,
  ctx: ServiceContext,
  { phones, reason }: { phones: string[]; reason: string },
): Promise<SuppressedNumbers> {
  const { organizationId, actor } = ctx;
  const { added, alreadyThere, targets } = await suppress(tx, {
    organizationId,
    phones,
    source: 'api',
    reason,
    callId: null,
    createdByUserId: actor.kind === 'system' ? null : actor.userId,
    at: ctx.clock.now(),
  });
  const rows = await findRows(tx, suppressions, { organizationId, phone: In(phones) });
  await appendAudit(tx, {
    action: 'suppressions.added',
    subjectKind: 'organization',
    subjectId: organizationId,
    changes: { added, already_there: alreadyThere, suppressed_targets: targets },
  });
  const byPhone = new Map(rows.map((row) => [row.phone, row]));
  return {
    added,
    already_there: alreadyThere,
    suppressed_targets: targets,
    suppressions: phones.flatMap((phone) => byPhone.get(phone) ?? []).map(toSuppression),
  };
}
