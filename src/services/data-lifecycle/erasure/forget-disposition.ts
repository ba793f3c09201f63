import { Not, type EntityManager } from 'typeorm';
import { existsRow, findRow, updateRows } from '../../../db/rows.ts';
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
  const agent = await findRow(tx, agents, { id: agentId, organizationId }, { isLocked: true });
  if (agent === null || !agent.dispositionCodes.includes(disposition)) return;
  if (await existsRow(tx, calls, { organizationId, agentId, disposition, id: Not(id) })) return;
  await updateRows(tx, agents, {
    where: { id: agentId, organizationId },
    change: { dispositionCodes: agent.dispositionCodes.filter((code) => code !== disposition) },
  });
}
