import { In } from 'typeorm';
import type { Author } from '../../contract/common.ts';
import { findRows, selectFrom } from '../../db/rows.ts';
import { auditEvents } from '../../db/tables/audit-events.ts';
import { findActors, type ServiceContext } from '../kernel/index.ts';

/** Who changed each agent last, from the audit log; agents without an entry are absent. */
export async function lastAuthors(
  { db, organizationId }: ServiceContext,
  agentIds: readonly number[],
): Promise<Map<number, Author>> {
  const newest: { id: string }[] = await selectFrom(db, auditEvents, { as: 'event', organizationId })
    .select('MAX(event.id)', 'id')
    .andWhere({ subjectKind: 'agent', subjectKey: In(agentIds.map(String)) })
    .groupBy('event.subjectKey')
    .getRawMany();
  const rows = await findRows(db, auditEvents, {
    organizationId,
    id: In(newest.map(({ id }) => Number(id))),
  });
  const actorOf = await findActors(db.manager, organizationId, rows);
  return new Map(rows.map((row) => [Number(row.subjectKey), toAuthor(actorOf(row))]));
}

/** An actor of the audit log as lists show it. */
export function toAuthor({ type, id, name }: Author): Author {
  return { type, id, name };
}
