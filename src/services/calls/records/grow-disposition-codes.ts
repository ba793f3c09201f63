import type { EntityManager } from 'typeorm';
import { agents } from '../../../db/tables/agents.ts';
import type { CallRow } from '../../../db/tables/calls.ts';

/** The agent's list of outcomes grows and never shrinks (contract 8.5). */
export async function growDispositionCodes(
  db: EntityManager,
  { agentId: id, organizationId }: Pick<CallRow, 'agentId' | 'organizationId'>,
  disposition: string,
): Promise<void> {
  const known = await db.getRepository(agents).findOneBy({ id, organizationId });
  if (known?.dispositionCodes.includes(disposition) === true) return; // the usual case takes no lock that the agent's other calls would wait for
  const agent = await db
    .getRepository(agents)
    .findOne({ where: { id, organizationId }, lock: { mode: 'pessimistic_write' } });
  if (agent === null || agent.dispositionCodes.includes(disposition)) return;
  await db
    .getRepository(agents)
    .update({ id, organizationId }, { dispositionCodes: [...agent.dispositionCodes, disposition] });
}
