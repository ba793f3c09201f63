import type { TextSession } from '../../../contract/text-sessions.ts';
import type { TurnRow } from '../../../db/tables/turns.ts';
import { initialCheckpoint } from '../../../domain/call/checkpoint.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { loadAllTurns, sortTurns } from '../turns/scene.ts';
import type { TextSessionDeps, TextSessionRef } from './deps.ts';
import { findSession, findSessionSince, mayReadAll, type FoundSession } from './find.ts';
import type { KeptTurns } from './kept-turns.ts';
import { onlyNewTurn, toTextSession } from './mapper.ts';

/** Reads the session with every turn so far from MySQL (contract 6.10). Throws NotFoundError. */
export async function getTextSession({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: TextSessionRef;
}): Promise<TextSession> {
  return shown(await readSession(ctx, input));
}

/** The session with every turn that was written, in their order. */
type ReadSession = FoundSession & { turns: readonly TurnRow[] };

async function readSession(ctx: ServiceContext, input: TextSessionRef): Promise<ReadSession> {
  const found = await findSession(ctx, input);
  const ref = { callId: input.callId, organizationId: ctx.organizationId };
  return { ...found, turns: await loadAllTurns(ctx, ref) };
}

/** Reads the turns that this process has not shown yet, and keeps them. */
async function readOn(ctx: ServiceContext, input: TextSessionRef, kept: KeptTurns): Promise<ReadSession> {
  const known = kept.of(input.callId);
  const last = known.at(-1);
  const next = last === undefined ? null : await findSessionSince(ctx, input, last);
  // guarantee: erased-turns-not-shown-from-memory
  const isWhole = next !== null && next.call.transcriptErasedAt === null;
  const read = isWhole ? { ...next, turns: [...known, ...next.written] } : await readSession(ctx, input);
  kept.keep(input.callId, read.turns);
  return read;
}

const shown = ({ turns, ...found }: ReadSession): TextSession =>
  toTextSession(found, sortTurns(turns, found.session.checkpoint ?? initialCheckpoint));

/**
 * The session after a change. A caller that may not read conversations sees its new turn, if there is one, and
 * nothing else of it.
 */
export async function showSession({
  ctx,
  deps: { turns },
  input,
  newTurn,
}: {
  ctx: ServiceContext;
  deps: Pick<TextSessionDeps, 'turns'>;
  input: TextSessionRef;
  newTurn: boolean;
}): Promise<TextSession> {
  const whole = shown(turns === undefined ? await readSession(ctx, input) : await readOn(ctx, input, turns));
  // guarantee: blind-key-sees-new-turn
  if (mayReadAll(ctx.actor)) return whole;
  return onlyNewTurn(whole, newTurn);
}
