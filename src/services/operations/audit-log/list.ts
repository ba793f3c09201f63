import type { AuditPage } from '../../../contract/audit-log.ts';
import { selectFrom, type NarrowedQuery } from '../../../db/rows.ts';
import { auditEvents, type AuditEventRow } from '../../../db/tables/audit-events.ts';
import { type ServiceContext, findActors } from '../../kernel/index.ts';
import { toAuditEntry } from './mapper.ts';

/** Selects changes of an organization; an absent field does not narrow. */
export interface AuditFilter {
  actorKind?: string | undefined;
  actorId?: number | undefined;
  subjectKind?: string | undefined;
  subjectKey?: string | undefined;
  action?: string | undefined;
  requestId?: string | undefined;
  /** At this timestamp or later. */
  from?: Date | undefined;
  /** Before this timestamp. */
  to?: Date | undefined;
}

export interface ListAuditInput {
  filter: AuditFilter;
  /** The `next_cursor` of the previous page: the row id of its last entry. */
  cursor: string | null;
  limit: number;
}

/** One page of the organization's changes, newest first. Ids only grow, so new rows do not shift pages. */
export async function listAudit({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: ListAuditInput;
}): Promise<AuditPage> {
  const { filter, cursor, limit } = input;
  const { organizationId, db } = ctx;
  const query = selectFrom(db, auditEvents, { as: 'event', organizationId });
  if (cursor !== null) query.andWhere('event.id < :cursor', { cursor });
  const rows = await narrowed(query, filter)
    .orderBy('event.id', 'DESC')
    .limit(limit + 1)
    .getMany();
  const page = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  const actorOf = await findActors(db.manager, organizationId, page);
  return {
    items: page.map((row) => toAuditEntry(row, actorOf(row))),
    next_cursor: hasMore ? String(page.at(-1)?.id) : null,
    has_more: hasMore,
  };
}

const columns = ['actorKind', 'actorId', 'subjectKind', 'subjectKey', 'action', 'requestId'] as const;

function narrowed(
  query: NarrowedQuery<AuditEventRow>,
  { from, to, ...equal }: AuditFilter,
): NarrowedQuery<AuditEventRow> {
  for (const name of columns)
    if (equal[name] !== undefined) query.andWhere(`event.${name} = :${name}`, { [name]: equal[name] });
  if (from !== undefined) query.andWhere('event.createdAt >= :from', { from });
  if (to !== undefined) query.andWhere('event.createdAt < :to', { to });
  return query;
}
