import { Not, type EntityManager } from 'typeorm';
import { existsRow, findRow, updateRows } from '../../../db/rows.ts';
import { agents } from '../../../db/tables/agents.ts';
import { calls, type CallRow } from '../../../db/tables/calls.ts';

/**
 * Removes a disposition from the agent's list (contract 8.5) if no other call has it. `kept` is the call's
 * new disposition.
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
