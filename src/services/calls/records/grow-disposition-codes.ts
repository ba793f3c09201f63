import type { EntityManager } from 'typeorm';
import { findRow, updateRows } from '../../../db/rows.ts';
import { agents } from '../../../db/tables/agents.ts';
import type { CallRow } from '../../../db/tables/calls.ts';

/** Adds a disposition to the agent's list, which never shrinks (contract 8.5). */
export async function growDispositionCodes(
  db: EntityManager,
  { agentId: id, organizationId }: Pick<CallRow, 'agentId' | 'organizationId'>,
  disposition: string,
): Promise<void> {
  const select = ['dispositionCodes'] as const;
  const known = await findRow(db, agents, { id, organizationId }, { select });
  if (known?.dispositionCodes.includes(disposition) === true) return; // usually known: then the agent's other calls wait for no lock
  const agent = await findRow(db, agents, { id, organizationId }, { select, isLocked: true });
  if (agent === null || agent.dispositionCodes.includes(disposition)) return;
  await updateRows(db, agents, {
    where: { id, organizationId },
    change: { dispositionCodes: [...agent.dispositionCodes, disposition] },
  });
}
