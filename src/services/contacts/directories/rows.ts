import { In } from 'typeorm';
import type { ContactPage } from '../../../contract/directories.ts';
import { selectFrom } from '../../../db/rows.ts';
import { contacts, type ContactRow, type ContactState } from '../../../db/tables/contacts.ts';
import type { DirectoryRow } from '../../../db/tables/directories.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { findBlocks, type RowRange } from './blocks.ts';
import { findDirectory } from './internal.ts';
import { toContact } from './mapper.ts';

interface Filter {
  state?: ContactState | undefined;
  /** Only rows with this finding. */
  finding?: string | undefined;
  /** Part of a phone number, or part of any cell. */
  search?: string | undefined;
}

interface ListContactsInput extends Filter {
  directoryId: number;
  /** `next_cursor` of the previous page: the row number of its last row. */
  cursor: number;
  limit: number;
}

/** One page of the rows of the last import, in the order of the file. Throws NotFoundError. */
export async function listContacts({
  ctx,
  input: { directoryId, cursor, limit, ...filter },
}: {
  ctx: ServiceContext;
  input: ListContactsInput;
}): Promise<ContactPage> {
  const directory = await findDirectory(ctx.db.manager, ctx, directoryId);
  const rows = await findContacts(ctx, directory, { filter, after: cursor, take: limit + 1 });
  const page = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  const repeats = await findRepeats(ctx, directory, page);
  return {
    columns: directory.columns,
    items: page.map((row) => ({
      ...toContact(row),
      repeated_in: row.state === 'ok' && row.phone !== null ? (repeats.get(row.phone) ?? []) : [],
    })),
    finding_counts: { ...directory.totals.findings },
    next_cursor: hasMore ? String(page.at(-1)?.rowNumber) : null,
    has_more: hasMore,
  };
}

const maxRepeats = 20;
/** Of a page, so that a file with one number in all its rows is answered, too. */
const maxRepeatsRead = 2000;

/** Rows that are left out because a row of the page has their number, by number. */
async function findRepeats(
  { db, organizationId }: ServiceContext,
  { id: directoryId, importNumber, totals }: DirectoryRow,
  page: readonly ContactRow[],
): Promise<ReadonlyMap<string, number[]>> {
  const phones = page.flatMap(({ state, phone }) => (state === 'ok' && phone !== null ? [phone] : []));
  if (totals.duplicate === 0 || phones.length === 0) return new Map();
  const found = await selectFrom(db, contacts, { as: 'contact', organizationId })
    .select(['contact.directoryId', 'contact.importNumber', 'contact.rowNumber', 'contact.phone'])
    .andWhere({ directoryId, importNumber, state: 'duplicate', phone: In(phones) })
    .limit(maxRepeatsRead)
    .getMany();
  const byPhone = Map.groupBy(found, ({ phone }) => phone ?? '');
  return new Map(
    [...byPhone].map(([phone, rows]) => [
      phone,
      rows
        .map(({ rowNumber }) => rowNumber)
        .toSorted((a, b) => a - b)
        .slice(0, maxRepeats),
    ]),
  );
}

interface Wanted {
  filter: Filter;
  after: number;
  take: number;
}

/** Blocks of the first statement, which usually suffices; each further one reads twice as many. */
const firstBlocks = 8;
const maxBlocks = 128;

async function findContacts(
  ctx: ServiceContext,
  directory: DirectoryRow,
  { filter, after, take }: Wanted,
): Promise<ContactRow[]> {
  const { state, finding, search } = filter;
  if (state === undefined && finding === undefined && search === undefined)
    return await findBetween(ctx, directory, { filter, after, take });
  const blocks = await findBlocks(
    ctx.db,
    { directoryId: directory.id, importNumber: directory.importNumber, organizationId: ctx.organizationId },
    { after, state, finding, texts: search === undefined ? [] : [inJson(search), ...digitsOf(search)] },
  );
  const found: ContactRow[] = [];
  for (
    let from = 0, size = firstBlocks;
    from < blocks.length;
    from += size, size = Math.min(maxBlocks, 2 * size)
  ) {
    // guarantee: search-reads-only-blocks-that-may-match
    const ranges = joined(blocks.slice(from, from + size));
    found.push(...(await findBetween(ctx, directory, { filter, after, take: take - found.length, ranges })));
    if (found.length >= take) break;
  }
  return found;
}

/** Contacts in these ranges of row numbers; without ranges, in all. */
async function findBetween(
  { db, organizationId }: ServiceContext,
  { id, importNumber }: DirectoryRow,
  { filter: { state, finding, search }, after, take, ranges }: Wanted & { ranges?: readonly RowRange[] },
): Promise<ContactRow[]> {
  const query = selectFrom(db, contacts, { as: 'contact', organizationId })
    .andWhere({ directoryId: id, importNumber })
    .andWhere('contact.rowNumber > :after', { after });
  if (ranges !== undefined)
    query.andWhere(
      `(${ranges.map(({ first, last }) => `contact.rowNumber BETWEEN ${first} AND ${last}`).join(' OR ')})`,
    );
  if (state !== undefined) query.andWhere('contact.state = :state', { state });
  // guarantee: rows-filtered-by-finding
  if (finding !== undefined) query.andWhere('contact.findings LIKE :code', { code: `%"code":"${finding}"%` });
  if (search !== undefined) {
    const [digits] = digitsOf(search);
    const inNumber = digits === undefined ? '' : 'contact.phone LIKE :digits OR ';
    query.andWhere(`(${inNumber}contact.cells COLLATE utf8mb4_general_ci LIKE :part)`, {
      digits: `%${digits}%`,
      part: `%${inJson(search).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`,
    });
  }
  return await query.orderBy('contact.rowNumber', 'ASC').limit(take).getMany();
}

/** Ranges in order, with neighbors as one. */
function joined(ranges: readonly RowRange[]): RowRange[] {
  const all: RowRange[] = [];
  for (const { first, last } of ranges) {
    const before = all.at(-1);
    if (before?.last === first - 1) before.last = last;
    else all.push({ first, last });
  }
  return all;
}

/**
 * The digits of what looks like a number or a part of one, as numbers are stored: without `00`, and without
 * the zero that a country's numbers begin with when they are written without its code.
 */
function digitsOf(search: string): string[] {
  if (!/^[+\d\s().\-/]+$/.test(search)) return [];
  const digits = search.replaceAll('(0)', '').replaceAll(/\D/g, '').replace(/^0+/, '');
  return digits.length < 3 ? [] : [digits];
}

/** As in the JSON of the cells. */
const inJson = (search: string): string => JSON.stringify(search).slice(1, -1);
