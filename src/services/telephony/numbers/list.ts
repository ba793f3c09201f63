import { In } from 'typeorm';
import type { PhoneNumberList } from '../../../contract/phone-numbers.ts';
import { findRows } from '../../../db/rows.ts';
import { agents } from '../../../db/tables/agents.ts';
import { phoneNumbers } from '../../../db/tables/phone-numbers.ts';
import { findConnection } from '../accounts/internal.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { toPhoneNumber } from './mapper.ts';

/**
 * The numbers of a connection, oldest first, with the names of the agents that answer them (contract 12.2).
 * Throws NotFoundError.
 */
export async function listPhoneNumbers({
  ctx,
  input: { configurationId },
}: {
  ctx: ServiceContext;
  input: { configurationId: number };
}): Promise<PhoneNumberList> {
  const { db, organizationId } = ctx;
  await findConnection(db.manager, ctx, configurationId);
  const rows = await findRows(
    db,
    phoneNumbers,
    { configurationId, organizationId },
    { order: { id: 'ASC' } },
  );
  const ids = rows.flatMap(({ inboundAgentId }) => inboundAgentId ?? []);
  const named =
    ids.length === 0
      ? []
      : await findRows(db, agents, { organizationId, id: In(ids) }, { select: ['id', 'name'] });
  const names = new Map(named.map(({ id, name }) => [id, name]));
  return {
    phone_numbers: rows.map((row) =>
      toPhoneNumber(row, {
        agentName: row.inboundAgentId === null ? null : (names.get(row.inboundAgentId) ?? null),
      }),
    ),
  };
}
