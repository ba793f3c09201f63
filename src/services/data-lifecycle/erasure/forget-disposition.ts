import { Not, type EntityManager } from 'typeorm';
import { agents } from '../../../db/tables/agents.ts';
import { calls, type CallRow } from '../../../db/tables/calls.ts';

/**
 * The agent's list of outcomes (contract 8.5) loses one that was removed from the last call that had it.
 * `kept` is what the call has now.
 */
export async function forgetDisposition(
  tx: EntityManager,
  { id, agentId, organizationId, disposition }: CallRow,
  kept: string | null,
): Promise<void> {
  if (disposition === null || disposition === kept) return;
  const agent = await tx
    .getRepository(agents)
    .findOne({ where: { id: agentId, organizationId }, lock: { mode: 'pessimistic_write' } });
  if (agent === null || !agent.dispositionCodes.includes(disposition)) return;
  if (await tx.getRepository(calls).existsBy({ organizationId, agentId, disposition, id: Not(id) })) return;
  await tx
    .getRepository(agents)
    .update(
      { id: agentId, organizationId },
      { dispositionCodes: agent.dispositionCodes.filter((code) => code !== disposition) },
    );
}
