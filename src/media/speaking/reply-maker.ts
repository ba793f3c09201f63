import type { Line, LineKind } from '../../domain/call/line.ts';
import type { Exchange } from '../../domain/call/tool-round.ts';
import { ProviderError } from '../../domain/errors.ts';
import { clausesOf } from '../../domain/speech/clauses-of.ts';
import { fixedLine, type FixedLine } from '../../domain/speech/fixed-lines.ts';
import type { WrittenLine } from '../../domain/speech/written-line.ts';
import type { LlmTimeouts } from '../../providers/llm/port.ts';
import type { ModelReply } from '../../services/calls/index.ts';
import { startReply, type Ask, type LiveReply } from './live-reply.ts';
import { continuationNote } from './prompts.ts';
import type { Speech } from './speech.ts';
import type { StepClock } from './step-clock.ts';
import { noDecision, type Decision } from './step-parts.ts';

/** Inputs and outputs of the words of a step. */
export interface ReplyMakerOptions {
  speech: Speech;
  language: string;
  nodeId: string;
  clock: StepClock;
  nowMs: () => number;
  /** Aborted when the caller interrupts or the step ends. */
  signal: AbortSignal;
  /** A question about this step; `said` are the words that were made for it so far. */
  ask: (more: { said: Line[]; note?: string | undefined }) => Ask;
  messagesFor: (calls: ModelReply['toolCalls']) => WrittenLine[];
  findRecording: (recordingId: string) => Promise<{ samples: Int16Array; text: string | null } | null>;
  onReply: (reply: ModelReply) => void;
  onFault: (error: unknown) => void;
}

/**
 * Limits of the first question. If it takes longer to the first word, a filler is said and the model is asked
 * once more.
 */
export const firstTimeouts: Partial<LlmTimeouts> = { firstTokenMs: 2500, stallMs: 3000, wholeMs: 20_000 };
const secondTimeouts: Partial<LlmTimeouts> = { firstTokenMs: 4000, stallMs: 3000, wholeMs: 15_000 };

/**
 * Makes the words of a step: written lines as they are, the model's while they stream. A model that is late,
 * breaks off or fails is asked once more, with its words so far. If that fails too, a fixed line tells the
 * caller that something is wrong, so a step is never silent.
 */
export class ReplyMaker {
  readonly #options: ReplyMakerOptions;

  constructor(options: ReplyMakerOptions) {
    this.#options = options;
  }

  /** Says a given text. */
  say(text: string, lineKind: LineKind, { isFiller = false } = {}): void {
    for (const clause of clausesOf(text)) this.#options.speech.say({ text: clause, lineKind, isFiller });
  }

  /** Says a fixed line in the agent's language, as one clause, so its sound can be ready ahead. */
  sayFixed(name: FixedLine, lineKind: LineKind = 'reply', { isFiller = true } = {}): void {
    this.#options.speech.say({ text: fixedLine(name, this.#options.language), lineKind, isFiller });
  }

  /** Says or plays a written or recorded line. False when the recording is missing. */
  async sayWritten(line: WrittenLine, lineKind: LineKind): Promise<boolean> {
    if (line.kind === 'text') {
      this.say(line.text, lineKind);
      return true;
    }
    const recording = await this.#options.findRecording(line.recordingId).catch(() => null);
    if (recording === null) return false;
    if (!this.#options.signal.aborted)
      this.#options.speech.play(recording.samples, {
        text: recording.text ?? '(recording)',
        lineKind,
        recordingId: line.recordingId,
      });
    return true;
  }

  /**
   * Says the model's words. `claimed` is a reply that was asked ahead; `fallback` is said if the model fails.
   */
  async sayModels({
    claimed,
    note,
    said = [],
    fallback = 'trouble',
  }: {
    claimed?: LiveReply | null;
    note?: string | undefined;
    said?: Line[];
    fallback?: FixedLine;
  }): Promise<Decision> {
    const { ask, signal, onReply, onFault } = this.#options;
    const first = await this.#take(claimed ?? this.#start(ask({ said, note }), firstTimeouts));
    if (first.kind === 'reply') return this.#decided(first.reply, onReply);
    if (signal.aborted) return noDecision;
    onFault(first.error);
    // guarantee: failed-model-retried-once
    if (isWorthRetrying(first.error)) {
      if (first.said.trim() === '') this.sayFixed('one_moment');
      const soFar = first.said.trim() === '' ? said : [...said, this.#lineOf(first.said)];
      const second = await this.#take(
        this.#start(
          ask({ said: soFar, note: first.said.trim() === '' ? note : continuationNote }),
          secondTimeouts,
        ),
      );
      if (second.kind === 'reply') return this.#decided(second.reply, onReply);
      if (signal.aborted) return noDecision;
      onFault(second.error);
    }
    this.sayFixed(fallback);
    // Any other fixed line, such as a check-in, replaces the model's words in full.
    return fallback === 'trouble'
      ? { ...noDecision, fault: { kind: 'fault', stage: 'llm', message: messageOf(first.error) } }
      : noDecision;
  }

  #start(ask: Ask, timeouts: Partial<LlmTimeouts>): LiveReply {
    return startReply({ ask, timeouts, nowMs: this.#options.nowMs });
  }

  /** Speaks a reply while it streams. After a failure, `said` are the words that were spoken. */
  async #take(
    reply: LiveReply,
  ): Promise<{ kind: 'reply'; reply: ModelReply } | { kind: 'failed'; error: unknown; said: string }> {
    const { signal, clock, speech } = this.#options;
    let said = '';
    const onAbort = () => reply.abort();
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) reply.abort();
    clock.mark('llmSent', reply.sentAtMs);
    reply.listen((text) => {
      if (signal.aborted) return;
      clock.mark('llmFirstToken', reply.firstTokenAtMs ?? undefined);
      clock.mark('firstClause', reply.firstClauseAtMs ?? undefined);
      said += text;
      speech.say({ text, lineKind: 'reply' });
    });
    const outcome = await reply.outcome;
    signal.removeEventListener('abort', onAbort);
    return outcome.kind === 'reply' ? outcome : { ...outcome, said };
  }

  async #decided(reply: ModelReply, onReply: (reply: ModelReply) => void): Promise<Decision> {
    onReply(reply);
    if (!this.#options.signal.aborted)
      for (const line of this.#options.messagesFor(reply.toolCalls))
        await this.sayWritten(line, 'tool_message');
    return { chosenEdge: reply.chosenEdge, toolCalls: reply.toolCalls, usage: reply.usage, fault: null };
  }

  #lineOf(text: string): Line {
    return { speaker: 'assistant', text: text.trim(), at: '', nodeId: this.#options.nodeId, kind: 'reply' };
  }
}

function isWorthRetrying(error: unknown): boolean {
  return error instanceof ProviderError && error.retryable && (error.retryAfterMs ?? 0) <= 1000;
}

/** A message for the call's history. Messages of ProviderError contain no secrets. */
export function messageOf(error: unknown): string {
  return error instanceof ProviderError ? error.message : 'the provider failed';
}

/** Lines in the form that a question takes. */
export function asExchanges(lines: readonly Line[]): Exchange[] {
  return lines.map((line) => ({ kind: 'line', line }));
}
