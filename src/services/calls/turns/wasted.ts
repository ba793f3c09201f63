import type { EntityManager } from 'typeorm';
import { insertRow } from '../../../db/rows.ts';
import { wastedUsage } from '../../../db/tables/wasted-usage.ts';
import { ProviderError } from '../../../domain/errors.ts';
import type { LlmRequest } from '../../../providers/llm/port.ts';
import { collectReply, type LlmReply, type ReplyListener, type ResolvedLlm } from '../../models/index.ts';
import type { CallRef } from '../../kernel/index.ts';
import type { ConversationDeps } from './deps.ts';
import { modelUsage, tokensOf, type ModelUsage } from './usage.ts';

/** A request to whichever model is configured. */
export type ModelQuestion = Omit<LlmRequest, 'model'>;

interface Asking {
  deps: ConversationDeps;
  /** Who is asked. */
  by: Pick<ResolvedLlm, 'llm' | 'model'>;
  ref: CallRef;
  request: ModelQuestion;
  signal: AbortSignal;
  /** Told of the answer before it is whole. */
  listener?: ReplyListener | undefined;
  /** A person waits on the line: notes are written beside. */
  isLive?: boolean | undefined;
}

/**
 * One request to the model. What it used is answered, or noted with the call when the answer broke off.
 * Throws what the stream throws.
 */
export async function askOnce({
  deps,
  by: { llm, model },
  ref,
  request,
  signal,
  listener,
  isLive = false,
}: Asking): Promise<Omit<LlmReply, 'usage'> & { usage: ModelUsage | null }> {
  const { provider } = llm;
  try {
    const reply = await collectReply(llm.stream({ model, ...request }, { signal }), listener);
    return { ...reply, usage: modelUsage({ provider, model, usage: reply.usage }) };
  } catch (error) {
    const spent = error instanceof ProviderError ? error.spent : null;
    const noted = noteWaste(deps, ref, [modelUsage({ provider, model, usage: spent })]);
    if (!isLive) await noted;
    throw error;
  }
}

/**
 * Keeps what was used in vain; `tts`: characters that a voice was given, by service. It stands beside a
 * failure that matters more, so a note that cannot be written is left out.
 */
export async function noteWaste(
  { db, clock, log }: ConversationDeps,
  ref: CallRef,
  usages: readonly (ModelUsage | null)[],
  tts: Record<string, number> = {},
): Promise<void> {
  try {
    await insertWaste(db.manager, { ref, usages, tts, at: clock.now() });
  } catch (error) {
    log.warn({ err: error, callId: ref.callId }, 'What was used in vain could not be noted');
  }
}

/** The same inside the caller's transaction; nothing where nothing was used. */
export async function insertWaste(
  db: EntityManager,
  {
    ref: { callId, organizationId },
    usages,
    tts = {},
    at,
  }: { ref: CallRef; usages: readonly (ModelUsage | null)[]; tts?: Record<string, number>; at: Date },
): Promise<void> {
  const llm = tokensOf(usages);
  if (Object.keys({ ...llm, ...tts }).length > 0)
    await insertRow(db, wastedUsage, { organizationId, callId, usage: { llm, tts }, createdAt: at });
}
