import type { WorkflowCount } from '../../contract/agent-library.ts';
import { countRows } from '../../db/rows.ts';
import { agents } from '../../db/tables/agents.ts';
import type { ServiceContext } from '../kernel/index.ts';

/** How many agents the organization has, by state (contract 1.4). */
export async function countAgents({ ctx }: { ctx: ServiceContext }): Promise<WorkflowCount> {
  const { organizationId } = ctx;
  const [active, archived] = await Promise.all(
    (['active', 'archived'] as const).map((state) => countRows(ctx.db, agents, { organizationId, state })),
  );
  return { total: (active ?? 0) + (archived ?? 0), active: active ?? 0, archived: archived ?? 0 };
}
