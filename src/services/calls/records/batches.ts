import type { NarrowedQuery } from '../../../db/rows.ts';
import type { CallRow } from '../../../db/tables/calls.ts';
import { listedCallColumns } from './listed.ts';

/** Rows read at a time; it bounds the memory that a report of any length takes. */
const batchSize = 500;

/**
 * All calls of a query in batches, ordered by creation. Each batch begins after the last row of the previous
 * one, so that an index on the creation timestamp finds it at once. The log of a call is not read. `select`
 * builds a new query with the alias `call`.
 */
export async function* callBatches(select: () => NarrowedQuery<CallRow>): AsyncGenerator<CallRow[]> {
  for (let last: CallRow | undefined; ;) {
    const query = select()
      .select(listedCallColumns)
      .orderBy('call.createdAt', 'ASC')
      .addOrderBy('call.id', 'ASC')
      .limit(batchSize);
    if (last !== undefined)
      query.andWhere('call.createdAt >= :lastAt AND (call.createdAt > :lastAt OR call.id > :lastId)', {
        lastAt: last.createdAt,
        lastId: last.id,
      });
    const rows = await query.getMany();
    if (rows.length > 0) yield rows;
    if (rows.length < batchSize) return;
    last = rows.at(-1);
  }
}
