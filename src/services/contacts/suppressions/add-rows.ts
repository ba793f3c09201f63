import type { ImportedSuppressions } from '../../../contract/suppressions.ts';
import type { FindingCode } from '../../../domain/directory/findings.ts';
import { createPhoneReader } from '../../../domain/phone/read-phone.ts';
import { wordsOf } from '../../../domain/directory/words-of.ts';
import type { FileRow } from '../../../providers/contact-files/port.ts';
import { appendAudit, type ServiceContext, write } from '../../kernel/index.ts';
import type { PhoneColumn } from './phone-column.ts';
import { suppress } from './suppress.ts';

/** Numbers per transaction. */
const batchSize = 5000;

/** Maximum number of faulty lines in an answer. The rest is counted. */
const maxFaults = 1000;

interface Adding {
  ctx: ServiceContext;
  rows: AsyncIterable<FileRow[]>;
  column: PhoneColumn;
  headerLine: number;
  input: { reason: string; defaultCountry: string | null };
}

/**
 * Adds the numbers of all rows, some thousand per transaction together with its audit event. A number that
 * the file repeats counts as already on the list.
 */
export async function addRows({
  ctx,
  rows,
  column,
  headerLine,
  input,
}: Adding): Promise<ImportedSuppressions> {
  const read = createPhoneReader(input.defaultCountry);
  const sums: ImportedSuppressions = {
    rows: 0,
    added: 0,
    already_there: 0,
    invalid: 0,
    suppressed_targets: 0,
    faults: [],
  };
  let batch = new Set<string>();
  const flush = async () => {
    const { added, targets } = await addBatch(ctx, [...batch], input.reason);
    sums.added += added;
    sums.suppressed_targets += targets;
    batch = new Set();
  };
  const take = (line: number, cell: string) => {
    sums.rows += 1;
    const number = read(cell);
    if (number.kind === 'phone') return void batch.add(number.phone);
    sums.invalid += 1;
    if (sums.faults.length < maxFaults)
      sums.faults.push(faultOf(line, number.kind === 'empty' ? 'phone_missing' : number.code));
  };
  if (column.isNumber) take(headerLine, column.name);
  for await (const some of rows) {
    for (const { line, isBlank, cells } of some) if (!isBlank) take(line, cells[column.index] ?? '');
    if (batch.size >= batchSize) await flush();
  }
  await flush();
  return { ...sums, already_there: sums.rows - sums.invalid - sums.added };
}

const faultOf = (line: number, code: FindingCode): ImportedSuppressions['faults'][number] => ({
  line,
  code,
  message: wordsOf({ code }).message,
});

async function addBatch(
  ctx: ServiceContext,
  phones: string[],
  reason: string,
): Promise<{ added: number; targets: number }> {
  if (phones.length === 0) return { added: 0, targets: 0 };
  const { organizationId, actor } = ctx;
  return await write(ctx, async (tx) => {
    const { added, alreadyThere, targets } = await suppress(tx, {
      organizationId,
      phones,
      source: 'file',
      reason,
      callId: null,
      createdByUserId: actor.kind === 'system' ? null : actor.userId,
      at: ctx.clock.now(),
    });
    await appendAudit(tx, {
      action: 'suppressions.imported',
      subjectKind: 'organization',
      subjectId: organizationId,
      changes: { added, already_there: alreadyThere, suppressed_targets: targets },
    });
    return { added, targets };
  });
}
