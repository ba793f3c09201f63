import { setTimeout as pause } from 'node:timers/promises';
import {
  generationMessages,
  repairMessages,
  type GenerationMessage,
} from '../../domain/agent-templates/generation-prompt.ts';
import type { AgentDesign } from '../../domain/agent-templates/design.ts';
import type { AgentWish } from '../../domain/agent-templates/skeleton.ts';
import { ProviderError, type SpentTokens } from '../../domain/errors.ts';
import type { ServiceContext } from '../kernel/index.ts';
import { collectReply, type ResolvedLlm } from '../models/index.ts';
import { generatedAgentFormat, readGeneratedDesign } from './generated-design.ts';

interface Asking {
  ctx: ServiceContext;
  resolved: ResolvedLlm;
  wish: AgentWish;
  /** Maximum time of all requests together. */
  wholeMs: number;
  signal: AbortSignal;
}

/** A design that can be called, or why there is none yet and what to ask next. */
type Answer =
  | { kind: 'designed'; name: string; design: AgentDesign }
  | { kind: 'again'; messages: GenerationMessage[]; afterMs: number; error: ProviderError };

/** A model that asks for a longer pause is not asked again. */
const maxPauseMs = 5000;
/** Minimum time for an answer. */
const minMs = 1000;

/**
 * Lets the model design an agent. The model is asked a second time when its answer cannot be used, with the
 * faults, or when it fails; there are no other retries. Tokens are logged in any case. Throws ProviderError.
 */
export async function designWithModel(asking: Asking): Promise<{ name: string; design: AgentDesign }> {
  const { ctx, wish, wholeMs, signal } = asking;
  const spent: (SpentTokens | null)[] = [];
  const end = performance.now() + wholeMs;
  const left = () => end - performance.now();
  try {
    const first = await ask({ ...asking, wholeMs: left() }, generationMessages(wish), spent);
    if (first.kind === 'designed') return first;
    if (left() - first.afterMs < minMs) throw first.error;
    await pause(first.afterMs, undefined, { signal }).catch(() => undefined); // aborted: the next request throws
    const second = await ask({ ...asking, wholeMs: left() }, first.messages, spent);
    if (second.kind === 'designed') return second;
    throw second.error;
  } catch (error) {
    throw notGenerated(error);
  } finally {
    logUsage(ctx, asking.resolved, spent);
  }
}

async function ask(
  { resolved: { llm, model }, wish, wholeMs, signal }: Asking,
  messages: GenerationMessage[],
  spent: (SpentTokens | null)[],
): Promise<Answer> {
  const timeouts = { connectMs: wholeMs, firstTokenMs: wholeMs, stallMs: wholeMs, wholeMs };
  try {
    const { text, usage } = await collectReply(
      llm.stream(
        {
          model,
          messages,
          tools: [],
          responseFormat: generatedAgentFormat,
          timeouts,
          measuredAs: 'generation',
        },
        { signal },
      ),
    );
    spent.push(usage);
    const read = readGeneratedDesign(text, wish.callType);
    if (read.ok) return { kind: 'designed', name: read.name, design: read.design };
    const error = new ProviderError('the answer of the language model is not a usable agent', {
      provider: 'llm',
      retryable: true,
      reason: 'unreadable',
    });
    return {
      kind: 'again',
      messages: [...messages, ...repairMessages(text, read.faults)],
      afterMs: 0,
      error,
    };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    spent.push(error.spent);
    const afterMs = error.retryAfterMs ?? 0;
    if (!error.retryable || afterMs > maxPauseMs) throw error;
    return { kind: 'again', messages, afterMs, error };
  }
}

function notGenerated(error: unknown): unknown {
  if (!(error instanceof ProviderError)) return error;
  const { provider, retryable, reason, message } = error;
  return new ProviderError(`The agent could not be generated: ${message}`, {
    provider,
    retryable,
    reason,
    cause: error,
  });
}

/** Logs the tokens, because they belong to no call; metrics count them like all others. */
function logUsage(
  { log, organizationId }: ServiceContext,
  { llm, model, level }: ResolvedLlm,
  spent: readonly (SpentTokens | null)[],
): void {
  const sum = (key: 'promptTokens' | 'completionTokens') =>
    spent.reduce((total, each) => total + (each?.[key] ?? 0), 0);
  log.info(
    {
      organizationId,
      service: `${llm.provider}|||${model}`,
      level,
      requests: spent.length,
      promptTokens: sum('promptTokens'),
      completionTokens: sum('completionTokens'),
    },
    'The language model was asked to design an agent',
  );
}
