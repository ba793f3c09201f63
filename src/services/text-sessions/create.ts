import type { TextSession } from '../../contract/text-sessions.ts';
import { insertRow } from '../../db/rows.ts';
import { calls, type CallRow } from '../../db/tables/calls.ts';
import { textSessions } from '../../db/tables/text-sessions.ts';
import { inTransaction } from '../../db/transaction.ts';
import { UnavailableError } from '../../domain/errors.ts';
import { own, ownObject, type JsonObject } from '../../domain/graph/definition.ts';
import { readNumber } from '../../domain/graph/fields.ts';
import { organizations } from '../../db/tables/organizations.ts';
import type { CallInput, SessionOutcome } from '../../temporal/port.ts';
import { findRunnableVersion, type RunnableVersion } from '../agents/index.ts';
import { appendAudit } from '../audit/append.ts';
import type { ServiceContext } from '../context.ts';
import type { TextSessionDeps } from './deps.ts';
import { getTextSession } from './get.ts';
import { requireAnswered } from './outcome.ts';

export interface CreateTextSessionInput {
  agentId: number;
  name?: string | undefined;
  initialContext: JsonObject;
  annotations: JsonObject;
}

/** Default of `text_chat_inactivity_timeout_seconds` (contract 3.1). */
const defaultInactivitySeconds = 1800;

/** Keys of the request that only the service writes (contract 5.3, row 3). */
const reservedKeys: ReadonlySet<string> = new Set(['provider', 'runtime_configuration']);

/**
 * Starts a text conversation with the draft, else the published version, and answers with the agent's opening in it (contract
 * 6.10). The row comes first (`pending`), then the Workflow; a call that cannot be started is `refused` before the caller hears
 * so, and a refused call never runs.
 *
 * Throws NotFoundError; GraphError (422) for a graph that cannot run; ProviderError (500) when the model failed to open;
 * UnavailableError when Temporal, MySQL or every worker is away.
 */
export async function createTextSession({ ctx, deps, input }: { ctx: ServiceContext; deps: TextSessionDeps; input: CreateTextSessionInput }): Promise<TextSession> {
  const { call, start } = await inTransaction(ctx.db, async (tx) => {
    const runnable = await findRunnableVersion(tx, ctx, input.agentId);
    const organization = await tx.getRepository(organizations).findOneByOrFail({ id: ctx.organizationId });
    const created = await insertRow(tx, calls, newCall(ctx, input, runnable));
    await tx.getRepository(textSessions).insert({ callId: created.id, organizationId: ctx.organizationId, revision: 0, branch: 0, status: 'idle', cursorTurnUuid: null, checkpoint: null, updatedAt: created.createdAt });
    await appendAudit(tx, ctx, { action: 'text_session.created', subjectKind: 'call', subjectId: created.id, changes: { agentId: input.agentId, version: runnable.version.number } });
    return { call: created, start: callInput({ call: created, runnable, organizationUuid: organization.uuid }) };
  });
  const outcome = await open({ ctx, deps, call, start });
  requireAnswered(outcome, 0);
  return await getTextSession({ ctx, input: { agentId: input.agentId, callId: call.id } });
}

interface Opening {
  ctx: ServiceContext;
  deps: TextSessionDeps;
  call: Pick<CallRow, 'id' | 'organizationId'>;
  start: CallInput;
}

async function open({ ctx, deps, call, start }: Opening): Promise<SessionOutcome> {
  try {
    const outcome = await deps.calls.openTextSession(start);
    if (outcome.kind === 'slow') await refuse(ctx, call);
    return outcome;
  } catch (error) {
    if (error instanceof UnavailableError) await refuse(ctx, call);
    throw error;
  }
}

/** `pending → refused`: against the Workflow's admission, which may have won; then the call runs and ends by itself. */
async function refuse(ctx: ServiceContext, { id, organizationId }: Pick<CallRow, 'id' | 'organizationId'>): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await tx.getRepository(calls).update({ id, organizationId, state: 'pending' }, { state: 'refused', endedAt: ctx.clock.now() });
  });
}

function newCall(ctx: ServiceContext, input: CreateTextSessionInput, { agent, version }: RunnableVersion): Omit<CallRow, 'id'> {
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
  };
}

/** Contract 5.3 for a test conversation: test values, then the request's own values. */
function mergeInitialContext(testValues: JsonObject, given: JsonObject): Record<string, unknown> {
  const allowed = Object.entries(given).filter(([key]) => !reservedKeys.has(key));
  return Object.fromEntries([...Object.entries(testValues), ...allowed]);
}

function callInput({ call, runnable: { agent, version, plan }, organizationUuid }: { call: CallRow; runnable: RunnableVersion; organizationUuid: string }): CallInput {
  const seconds = readNumber(own(version.settings, 'text_chat_inactivity_timeout_seconds')) ?? defaultInactivitySeconds;
  return {
    callId: call.id,
    callUuid: call.uuid,
    organizationId: call.organizationId,
    organizationUuid,
    agentUuid: agent.uuid,
    versionId: version.id,
    versionNumber: version.number,
    definitionSha256: version.definitionSha256,
    plan,
    channel: { kind: 'text', inactivityTimeoutMs: seconds * 1000 },
    isTest: call.isTest,
    source: call.source,
    greetingOverridden: own(ownObject(call.initialContext, 'greeting_override'), 'type') === 'text',
  };
}
