import type { AgentRow } from '../../../db/tables/agents.ts';
import type { AgentVersionRow } from '../../../db/tables/agent-versions.ts';
import type { CallRow } from '../../../db/tables/calls.ts';
import type { CallNumbers } from '../../../domain/call/call-numbers.ts';
import type { ServiceContext } from '../../kernel/index.ts';

/** The values of a new call that depend on how it begins. */
export type CallBeginning = Pick<
  CallRow,
  'name' | 'mode' | 'channel' | 'direction' | 'source' | 'state' | 'isTest' | 'initialContext' | 'annotations'
> &
  CallNumbers;

/** The row of a new call, pinned to the version (contract 4.2). */
export function freshCall(
  ctx: Pick<ServiceContext, 'clock' | 'ids' | 'organizationId'>,
  { agent, version }: { agent: AgentRow; version: AgentVersionRow },
  beginning: CallBeginning,
): Omit<CallRow, 'id'> {
  return {
    uuid: ctx.ids.uuid(),
    organizationId: ctx.organizationId,
    agentId: agent.id,
    versionId: version.id,
    campaignId: null,
    ...beginning,
    gatheredContext: {},
    usage: {},
    logs: {},
    judging: null,
    disposition: null,
    tags: [],
    publicToken: null,
    transcriptAvailable: false,
    createdAt: ctx.clock.now(),
    startedAt: null,
    answeredAt: null,
    endedAt: null,
    durationSeconds: null,
    latencyP95Ms: null,
    recordedAt: null,
    costUsd: null,
    transcriptErasedAt: null,
    variablesErasedAt: null,
  };
}
