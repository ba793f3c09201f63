import type { EntityManager } from 'typeorm';
import type { AgentRow } from '../../db/tables/agents.ts';
import { PreconditionError } from '../../domain/errors.ts';
import { describeLastChange, type ServiceContext } from '../kernel/index.ts';
import { shownVersion } from './internal.ts';
import { toWorkflow } from './mapper.ts';
import { matchesRecord } from './tag.ts';

/** A change that is made only when the agent is as the caller has seen it. */
export interface AgentRef {
  agentId: number;
  /** Entity tags as `If-Match` has them; absent = however the agent is. */
  ifMatch?: string | undefined;
}

/**
 * For a locked agent: whoever changes it next reads what this transaction leaves. Throws PreconditionError
 * (412) naming the last change when the agent is not as `ifMatch` says.
 */
export async function requireAsSeen(
  tx: EntityManager,
  ctx: ServiceContext,
  agent: AgentRow,
  { ifMatch }: AgentRef,
): Promise<void> {
  if (ifMatch === undefined) return;
  const record = toWorkflow({ agent, shown: await shownVersion(tx, agent), callCount: 0 });
  // guarantee: several-changes-agent-saw
  if (matchesRecord(ifMatch, record)) return;
  const lastChange = await describeLastChange(tx, ctx, {
    subjectKind: 'agent',
    subjectKey: String(agent.id),
  });
  throw new PreconditionError(
    `The agent is not as If-Match says${lastChange === null ? '' : `; its last change: ${lastChange}`}. Read it again.`,
    { status: 412 },
  );
}
