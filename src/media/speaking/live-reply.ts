import type { LiveAnswer, ModelReply } from '../../services/conversation/index.ts';

export type ReplyOutcome = { kind: 'reply'; reply: ModelReply } | { kind: 'failed'; error: unknown };

/**
 * One answer of the model that is coming. It may be asked for before anybody may hear it: what has come is kept until somebody listens. It never
 * rejects; leaving it means aborting it.
 */
export interface LiveReply {
  readonly sentAtMs: number;
  readonly firstTokenAtMs: number | null;
  /** All text so far. */
  readonly text: string;
  readonly outcome: Promise<ReplyOutcome>;
  /** Told of all text, at once of what is there. One listener. */
  listen(onText: (piece: string) => void): void;
  abort(): void;
}

export type Ask = (live: LiveAnswer, signal: AbortSignal) => Promise<ModelReply>;

/** Asks now. */
export function startReply({ ask, timeouts, nowMs }: { ask: Ask; timeouts: LiveAnswer['timeouts']; nowMs: () => number }): LiveReply {
  const controller = new AbortController();
  const sentAtMs = nowMs();
  let firstTokenAtMs: number | null = null;
  let text = '';
  let listener: ((piece: string) => void) | null = null;
  const live: LiveAnswer = {
    ...(timeouts === undefined ? {} : { timeouts }),
    onText(piece) {
      firstTokenAtMs ??= nowMs();
      text += piece;
      if (!controller.signal.aborted) listener?.(piece);
    },
  };
  const outcome = ask(live, controller.signal).then(
    (reply): ReplyOutcome => ({ kind: 'reply', reply }),
    (error: unknown): ReplyOutcome => ({ kind: 'failed', error }),
  );
  return {
    sentAtMs,
    get firstTokenAtMs() {
      return firstTokenAtMs;
    },
    get text() {
      return text;
    },
    outcome,
    listen(onText) {
      listener = onText;
      if (text !== '') onText(text);
    },
    abort: () => controller.abort(),
  };
}
