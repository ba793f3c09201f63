import type { SelectQueryBuilder } from 'typeorm';
import type { CallRow } from '../../../db/tables/calls.ts';
import { listedCallColumns } from './listed.ts';

/** Rows that are read at a time: what a report of any length takes of memory. */
const batchSize = 500;

/**
 * All calls of a query in the order they were made, some at a time. Each batch begins behind the last row of
 * the one before, so an index over the moment of creation finds it at once; the log of a call is not read.
 * `select` makes the query anew, with the name `call`.
 */
export async function* callBatches(select: () => SelectQueryBuilder<CallRow>): AsyncGenerator<CallRow[]> {
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
