import type { EntityManager } from 'typeorm';
import { insertRow } from '../../../db/rows.ts';
import { wastedUsage } from '../../../db/tables/wasted-usage.ts';
import { ProviderError } from '../../../domain/errors.ts';
import type { LlmRequest } from '../../../providers/llm/port.ts';
import { collectReply, type LlmReply, type ReplyListener, type ResolvedLlm } from '../../models/index.ts';
import type { CallRef } from '../../kernel/index.ts';
import type { ConversationDeps } from './deps.ts';
import { modelUsage, tokensOf, type ModelUsage } from './usage.ts';

/** A request to the configured model. */
export type ModelQuestion = Omit<LlmRequest, 'model'>;

interface Asking {
  deps: ConversationDeps;
  /** The model to ask. */
  by: Pick<ResolvedLlm, 'llm' | 'model'>;
  ref: CallRef;
  request: ModelQuestion;
  signal: AbortSignal;
  /** Receives the answer while it arrives. */
  listener?: ReplyListener | undefined;
  /** The answer is spoken: usage is stored without waiting for it. */
  isLive?: boolean | undefined;
}

/**
 * Sends one request to the model. Returns its usage, or stores it as wasted when the answer broke off. Throws
 * what the stream throws.
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
 * Stores wasted usage; `tts` is the number of characters sent to a voice, by service. It accompanies a
 * failure that matters more, so it only logs when it cannot write.
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
    log.warn({ err: error, callId: ref.callId }, 'Wasted usage could not be stored');
  }
}

/** Stores wasted usage inside the caller's transaction, unless there is none. */
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
