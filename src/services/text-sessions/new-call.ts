import type { CallRow } from '../../db/tables/calls.ts';
import { own, type JsonObject } from '../../domain/graph/definition.ts';
import type { RunnableVersion } from '../agents/index.ts';
import type { ServiceContext } from '../context.ts';

export interface NewCall {
  name?: string | undefined;
  initialContext: JsonObject;
  annotations: JsonObject;
}

/** Keys of the request that only the service writes (contract 5.3, row 3). */
const reservedKeys: ReadonlySet<string> = new Set(['provider', 'runtime_configuration']);

/** The row of a test conversation that nobody has started yet. */
export function newCall(ctx: ServiceContext, input: NewCall, { agent, version }: RunnableVersion): Omit<CallRow, 'id'> {
  const initialContext = mergeInitialContext(version.testValues, input.initialContext);
  return {
    uuid: ctx.ids.uuid(),
    organizationId: ctx.organizationId,
    agentId: agent.id,
    versionId: version.id,
    name: input.name ?? `WR-TEXT-${ctx.ids.integer(0x1000000).toString(16).toUpperCase().padStart(6, '0')}`,
    mode: 'textchat',
    channel: 'text',
    direction: own(initialContext, 'direction') === 'outbound' ? 'outbound' : 'inbound',
    source: 'editor',
    state: 'pending',
    isTest: true,
    initialContext,
    gatheredContext: {},
    usage: {},
    logs: {},
    annotations: { ...input.annotations },
    disposition: null,
    tags: [],
    publicToken: null,
    transcriptAvailable: false,
    createdAt: ctx.clock.now(),
    startedAt: null,
    endedAt: null,
    costUsd: null,
    transcriptErasedAt: null,
    variablesErasedAt: null,
  };
}

/** Contract 5.3 for a test conversation: test values, then the request's own values. */
function mergeInitialContext(testValues: JsonObject, given: JsonObject): Record<string, unknown> {
  const allowed = Object.entries(given).filter(([key]) => !reservedKeys.has(key));
  return Object.fromEntries([...Object.entries(testValues), ...allowed]);
}
