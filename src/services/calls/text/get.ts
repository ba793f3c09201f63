import type { TextSession } from '../../../contract/text-sessions.ts';
import { initialCheckpoint } from '../../../domain/call/checkpoint.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { loadAllTurns } from '../turns/scene.ts';
import type { TextSessionRef } from './deps.ts';
import { findSession, mayReadAll } from './find.ts';
import { onlyNewTurn, toTextSession } from './mapper.ts';

/** Reads the session with every turn so far from MySQL (contract 6.10). Throws NotFoundError. */
export async function getTextSession({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: TextSessionRef;
}): Promise<TextSession> {
  const found = await findSession(ctx, input);
  const ref = { callId: input.callId, organizationId: ctx.organizationId };
  return toTextSession(
    found,
    await loadAllTurns({ deps: ctx, input: ref, checkpoint: found.session.checkpoint ?? initialCheckpoint }),
  );
}

/**
 * The session after a change. A caller that may not read conversations sees its new turn, if there is one, and
 * nothing else of it.
 */
export async function showSession({
  newTurn,
  ...reading
}: {
  ctx: ServiceContext;
  input: TextSessionRef;
  newTurn: boolean;
}): Promise<TextSession> {
  const whole = await getTextSession(reading);
  // guarantee: blind-key-sees-new-turn
  if (mayReadAll(reading.ctx.actor)) return whole;
  return onlyNewTurn(whole, newTurn);
}
