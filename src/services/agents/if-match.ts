import type { EntityManager } from 'typeorm';
import type { Workflow } from '../../contract/agents.ts';
import type { AgentRow } from '../../db/tables/agents.ts';
import { refuseUnseen, type ServiceContext } from '../kernel/index.ts';
import { shownVersion } from './internal.ts';
import { toWorkflow } from './mapper.ts';
import { matchesRecord } from './tag.ts';

/** The agent of a change that may depend on the state that the client has read. */
export interface AgentRef {
  agentId: number;
  /** Entity tags of `If-Match`; absent = any state. */
  ifMatch?: string | undefined;
}

/**
 * Checks `If-Match` for a locked agent, so that the next change sees the result of this transaction. Throws
 * PreconditionError (412) naming the last change when the agent does not match.
 */
export async function requireAgentAsSeen(
  tx: EntityManager,
  ctx: ServiceContext,
  agent: AgentRow,
  ref: AgentRef,
): Promise<void> {
  if (ref.ifMatch === undefined) return;
  const record = toWorkflow({ agent, shown: await shownVersion(tx, agent), callCount: 0 });
  await requireRecordAsSeen(tx, ctx, record, ref);
}

/** `requireAgentAsSeen` for an agent whose record was read already. */
export async function requireRecordAsSeen(
  tx: EntityManager,
  ctx: ServiceContext,
  record: Workflow,
  { ifMatch }: AgentRef,
): Promise<void> {
  if (ifMatch === undefined) return;
  // guarantee: agent-change-needs-current-tag
  if (matchesRecord(ifMatch, record)) return;
  await refuseUnseen(tx, ctx, { kind: 'agent', id: record.id });
}
