import type { TextSession } from '../../../contract/text-sessions.ts';
import type { SessionMessage, SessionOutcome } from '../../../temporal/port.ts';
import { type ServiceContext, nameSubject } from '../../kernel/index.ts';
import { requireQuota } from '../../models/index.ts';
import { failuresOf } from '../turns/deps.ts';
import type { TextSessionDeps, TextSessionRef } from './deps.ts';
import { findSession, isClosed, type FoundSession } from './find.ts';
import { showSession } from './get.ts';
import { requireAnswered, sessionClosed } from './outcome.ts';
import { requestIdOf, updateIdOf } from './update-id.ts';

export interface SessionRequest extends TextSessionRef {
  expectedRevision?: number | undefined;
  idempotencyKey?: string | undefined;
}

/**
 * Sends one message of the user, which the agent answers (contract 6.10). A repeated message (same key, or
 * same text and expected revision) gets the same answer and enters the conversation once.
 *
 * Throws NotFoundError; ConflictError with both revisions; PreconditionError (400) for an ended session;
 * LimitError (429) when a quota of the installation's models is used up; ProviderError (500) when the model failed; UnavailableError when Temporal, MySQL or every worker is
 * unavailable.
 */
export async function sendMessage({
  ctx,
  deps,
  input,
}: {
  ctx: ServiceContext;
  deps: TextSessionDeps;
  input: SessionRequest & { text: string };
}): Promise<TextSession> {
  const { text } = input;
  return await request({
    ctx,
    deps,
    input,
    act: 'message',
    hasNewTurn: true,
    text,
    ask: (message) => deps.calls.sendMessage({ ...message, text }),
  });
}

/**
 * Rewinds to a turn, which becomes the last one; without a turn, to before the first, and the agent opens
 * again (contract 6.10). Later turns are kept as `discarded_future`. Throws as `sendMessage` does;
 * NotFoundError for a turn that the conversation does not have.
 */
export async function rewindTextSession({
  ctx,
  deps,
  input,
}: {
  ctx: ServiceContext;
  deps: TextSessionDeps;
  input: SessionRequest & { cursorTurnUuid: string | null };
}): Promise<TextSession> {
  const { cursorTurnUuid } = input;
  return await request({
    ctx,
    deps,
    input,
    act: 'rewind',
    hasNewTurn: cursorTurnUuid === null,
    text: cursorTurnUuid ?? '',
    ask: (message) => deps.calls.rewind({ ...message, cursorTurnUuid }),
  });
}

/** Ends the session. Its data is extracted and sent as for any call. Throws as `sendMessage` does. */
export async function endTextSession({
  ctx,
  deps,
  input,
}: {
  ctx: ServiceContext;
  deps: TextSessionDeps;
  input: SessionRequest;
}): Promise<TextSession> {
  return await request({
    ctx,
    deps,
    input,
    act: 'end',
    hasNewTurn: false,
    text: '',
    ask: (message) => deps.calls.endSession(message),
  });
}

interface Request {
  ctx: ServiceContext;
  deps: Omit<TextSessionDeps, 'calls'>;
  input: SessionRequest;
  act: 'message' | 'rewind' | 'end';
  hasNewTurn: boolean;
  text: string;
  ask: (message: SessionMessage) => Promise<SessionOutcome>;
}

async function request({ ctx, deps, input, act, hasNewTurn, text, ask }: Request): Promise<TextSession> {
  const found = await findSession(ctx, input);
  nameSubject(ctx, 'call', input.callId);
  if (isClosed(found) && !mayBeRepeated(found, input)) throw sessionClosed();
  const { call, session } = found;
  // guarantee: used-up-quota-ends-text-turns
  if (hasNewTurn)
    await requireQuota(ctx.db, ctx, {
      quotas: deps.quotas,
      far: deps.far,
      versionId: call.versionId,
      isSpoken: false,
    });
  const expectedRevision = input.expectedRevision ?? session.revision;
  const identity = {
    callUuid: call.uuid,
    act,
    idempotencyKey: input.idempotencyKey,
    expectedRevision,
    failures: failuresOf(session),
    text,
  };
  requireAnswered(
    await ask({
      callUuid: call.uuid,
      expectedRevision,
      updateId: updateIdOf(identity),
      requestId: requestIdOf(identity),
    }),
    expectedRevision,
  );
  return await showSession({ ctx, deps, input, newTurn: hasNewTurn });
}

/**
 * A client may repeat the request that closed the session after its answer was lost: Temporal has the answer.
 */
function mayBeRepeated(
  { session }: FoundSession,
  { expectedRevision, idempotencyKey }: SessionRequest,
): boolean {
  return (
    idempotencyKey !== undefined || (expectedRevision !== undefined && expectedRevision < session.revision)
  );
}
