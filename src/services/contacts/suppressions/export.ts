import { MoreThan, type DataSource } from 'typeorm';
import { findRows } from '../../../db/rows.ts';
import { suppressions, type SuppressionRow } from '../../../db/tables/suppressions.ts';
import { csvLines, type ServiceContext } from '../../kernel/index.ts';
import { exportHeader, toExportRow } from './mapper.ts';

/** Rows read at a time, so that memory does not depend on the length of the list. */
const batchSize = 2000;

/** The whole list as CSV, streamed in the order of the numbers, which is that of their unique index. */
export async function* exportSuppressions({ ctx }: { ctx: ServiceContext }): AsyncGenerator<string> {
  yield csvLines([[...exportHeader]]);
  for await (const rows of batches(ctx)) yield csvLines(rows.map(toExportRow));
}

async function* batches({
  db,
  organizationId,
}: {
  db: DataSource;
  organizationId: number;
}): AsyncGenerator<SuppressionRow[]> {
  for (let after = ''; ;) {
    const rows = await findRows(
      db,
      suppressions,
      { organizationId, phone: MoreThan(after) },
      { order: { phone: 'ASC' }, take: batchSize },
    );
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < batchSize) return;
    after = last.phone;
  }
}
