import type { EntityManager } from 'typeorm';
import type { TextSession } from '../../../contract/text-sessions.ts';
import { getRow, insertRow, insertRows } from '../../../db/rows.ts';
import { calls, type CallRow } from '../../../db/tables/calls.ts';
import { textSessions } from '../../../db/tables/text-sessions.ts';
import { UnavailableError } from '../../../domain/errors.ts';
import type { CallInput, SessionOutcome } from '../../../temporal/port.ts';
import { findRunnableVersion } from '../../agents/index.ts';
import { appendAudit, type ServiceContext, once, type Write, write } from '../../kernel/index.ts';
import { requireQuota } from '../../models/index.ts';
import { refuseCall } from '../start/refuse.ts';
import { failuresOf } from '../turns/deps.ts';
import { callInputOf, textChannel } from '../start/call-input.ts';
import type { TextSessionDeps } from './deps.ts';
import { showSession } from './get.ts';
import { newCall, type NewCall } from './new-call.ts';
import { requireAnswered } from './outcome.ts';

export interface CreateTextSessionInput extends NewCall {
  agentId: number;
}

/**
 * Starts a text conversation with the draft, else the published version, and returns it with the agent's
 * opening (contract 6.10). It writes the row first (`pending`), then starts the Workflow. A call that cannot
 * be started is `refused` before this throws, and a refused call never runs. A request that is repeated with
 * its Idempotency-Key continues with the call that it made, unless that call was refused.
 *
 * Throws NotFoundError; GraphError (422) for a graph that cannot run; LimitError (429) when a quota of the
 * installation's models is used up; ProviderError (500) when the model
 * failed at the opening; UnavailableError when Temporal, MySQL or every worker is unavailable.
 */
export async function createTextSession({
  ctx,
  deps,
  input,
}: {
  ctx: ServiceContext;
  deps: TextSessionDeps;
  input: CreateTextSessionInput;
}): Promise<TextSession> {
  const opening = await write(ctx, async (tx) => {
    const make = async () => {
      const call = await insertCall(tx, ctx, input);
      await requireQuota(tx, ctx, { quotas: deps.quotas, versionId: call.versionId, isSpoken: false });
      return { id: call.id, answer: call };
    };
    const call = await once(tx, { kind: 'call', make, again: (id) => unlessRefused(tx, ctx, id) });
    const session = await getRow(tx, textSessions, { callId: call.id, organizationId: ctx.organizationId });
    return { call, start: await callInputOf(tx, call, textChannel), failures: failuresOf(session) };
  });
  const outcome = await open(ctx, deps, opening);
  // The conversation of a repeated request may have ended: the answer shows it as it is.
  if (outcome.kind === 'closed') await requireStarted(ctx, opening.call);
  else requireAnswered(outcome, 0);
  return await showSession({
    ctx,
    deps,
    input: { agentId: input.agentId, callId: opening.call.id },
    newTurn: true,
  });
}

async function unlessRefused(
  tx: EntityManager,
  { organizationId }: ServiceContext,
  id: number,
): Promise<CallRow | null> {
  const call = await getRow(tx, calls, { id, organizationId });
  return call.state === 'refused' ? null : call;
}

async function insertCall(tx: Write, ctx: ServiceContext, input: CreateTextSessionInput): Promise<CallRow> {
  const runnable = await findRunnableVersion(tx, ctx, input.agentId);
  const call = await insertRow(tx, calls, newCall(ctx, input, runnable));
  await insertRows(tx, textSessions, [
    {
      callId: call.id,
      organizationId: ctx.organizationId,
      createdByApiKeyId: ctx.actor.kind === 'api_key' ? ctx.actor.apiKeyId : null,
      revision: 0,
      branch: 0,
      status: 'idle',
      cursorTurnUuid: null,
      checkpoint: null,
      updatedAt: call.createdAt,
    },
  ]);
  await appendAudit(tx, {
    action: 'text_session.created',
    subjectKind: 'call',
    subjectId: call.id,
    changes: { agentId: input.agentId, version: runnable.version.number },
  });
  return call;
}

interface Opening {
  call: CallRow;
  start: CallInput;
  /** Failed turns so far: a request may repeat an opening that failed. */
  failures: number;
}

async function open(
  ctx: ServiceContext,
  deps: TextSessionDeps,
  { call, start, failures }: Opening,
): Promise<SessionOutcome> {
  try {
    const outcome = await deps.calls.openTextSession(start, failures);
    if (outcome.kind === 'slow') await refuseCall(ctx, call);
    return outcome;
  } catch (error) {
    if (error instanceof UnavailableError) await refuseCall(ctx, call);
    throw error;
  }
}

/** Two requests with one key may start the same call; when the other one refused it, this one fails, too. */
async function requireStarted(ctx: ServiceContext, { id, organizationId }: CallRow): Promise<void> {
  const { state } = await getRow(ctx.db, calls, { id, organizationId });
  if (state === 'refused')
    throw new UnavailableError('The conversation was not started; send the same request again', {
      dependency: 'temporal',
    });
}
