import type { SuppressionPage } from '../../../contract/suppressions.ts';
import { selectFrom } from '../../../db/rows.ts';
import { suppressions, type SuppressionRow } from '../../../db/tables/suppressions.ts';
import { phoneDigits } from '../../../domain/phone/digits.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { toSuppression } from './mapper.ts';

export interface ListSuppressionsInput {
  /** The beginning of numbers, or a whole one in any notation, as typed; null = all. */
  number: string | null;
  /** `next_cursor` of the previous page. */
  cursor: string | null;
  limit: number;
}

/**
 * One page of the organization's list, newest first. It uses the list's index, in which later rows only come
 * before the earlier ones.
 */
export async function listSuppressions({
  ctx: { db, organizationId },
  input,
}: {
  ctx: ServiceContext;
  input: ListSuppressionsInput;
}): Promise<SuppressionPage> {
  const query = selectFrom(db, suppressions, { as: 'row', organizationId });
  if (input.number !== null)
    query.andWhere('(row.phone LIKE :beginning OR row.phone = :whole)', {
      beginning: `${digitsOf(input.number)}%`,
      whole: phoneDigits(input.number) ?? '',
    });
  const [ms, id] = input.cursor?.split('-').map(Number) ?? [];
  if (ms !== undefined)
    query.andWhere('row.createdAt <= :at AND (row.createdAt < :at OR row.id < :id)', {
      at: new Date(ms),
      id,
    });
  const rows = await query
    .orderBy('row.createdAt', 'DESC')
    .addOrderBy('row.id', 'DESC')
    .limit(input.limit + 1)
    .getMany();
  const page = rows.slice(0, input.limit);
  const hasMore = rows.length > input.limit;
  return {
    items: page.map(toSuppression),
    next_cursor: hasMore ? cursorBehind(page) : null,
    has_more: hasMore,
  };
}

/** The list stores timestamps to the millisecond. */
function cursorBehind(page: readonly SuppressionRow[]): string | null {
  const last = page.at(-1);
  return last === undefined ? null : `${last.createdAt.getTime()}-${last.id}`;
}

/** Only digits; a leading `00` stands for `+`. Letters give a beginning that no number has. */
function digitsOf(typed: string): string {
  const compact = typed.replaceAll(/[\s\-.()]/g, '').replace(/^(?:\+|00)/, '');
  return /^\d*$/.test(compact) ? compact : '-';
}
