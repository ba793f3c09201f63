import type { ContactPage } from '../../../contract/directories.ts';
import { selectFrom } from '../../../db/rows.ts';
import { contacts, type ContactState } from '../../../db/tables/contacts.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { findDirectory } from './internal.ts';
import { toContact } from './mapper.ts';

interface ListContactsInput {
  directoryId: number;
  state?: ContactState | undefined;
  /** A phone number's digits, an identifier, or part of any cell. */
  search?: string | undefined;
  /** `next_cursor` of the previous page: the row number of its last row. */
  cursor: number;
  limit: number;
}

/** One page of the rows of the last import, in the order of the file. Throws NotFoundError. */
export async function listContacts({
  ctx,
  input: { directoryId, state, search, cursor, limit },
}: {
  ctx: ServiceContext;
  input: ListContactsInput;
}): Promise<ContactPage> {
  const { id, importNumber, columns } = await findDirectory(ctx.db.manager, ctx, directoryId);
  const query = selectFrom(ctx.db, contacts, { as: 'contact', organizationId: ctx.organizationId })
    .andWhere({ directoryId: id, importNumber })
    .andWhere('contact.rowNumber > :cursor', { cursor });
  if (state !== undefined) query.andWhere('contact.state = :state', { state });
  if (search !== undefined)
    query.andWhere(
      '(contact.phone LIKE :digits OR contact.identifier = :search OR contact.cells COLLATE utf8mb4_general_ci LIKE :part)',
      { search, digits: `${digitsOf(search)}%`, part: `%${likePart(search)}%` },
    );
  const rows = await query
    .orderBy('contact.rowNumber', 'ASC')
    .limit(limit + 1)
    .getMany();
  const page = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  return {
    columns,
    items: page.map(toContact),
    next_cursor: hasMore ? String(page.at(-1)?.rowNumber) : null,
    has_more: hasMore,
  };
}

/** The digits of what looks like a number; otherwise something that no number begins with. */
function digitsOf(search: string): string {
  const digits = search.replaceAll(/\D/g, '');
  return /^[+\d\s().-]+$/.test(search) && digits.length >= 3 ? digits : '-';
}

/** As in the cells' JSON, escaped for LIKE. */
function likePart(search: string): string {
  return JSON.stringify(search)
    .slice(1, -1)
    .replaceAll(/[\\%_]/g, String.raw`\$&`);
}
