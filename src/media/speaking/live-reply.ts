import { createClauseCutter } from '../../domain/speech/clauses.ts';
import type { LiveAnswer, ModelReply } from '../../services/calls/index.ts';

export type ReplyOutcome = { kind: 'reply'; reply: ModelReply } | { kind: 'failed'; error: unknown };

/**
 * A streaming reply of the model, in clauses. It may be asked for before anyone may hear it: its clauses are
 * kept until someone listens. It never rejects. Abort it to drop it.
 */
export interface LiveReply {
  readonly sentAtMs: number;
  readonly firstTokenAtMs: number | null;
  readonly firstClauseAtMs: number | null;
  /** Known after the last clause. A reply that failed drops an incomplete clause. */
  readonly outcome: Promise<ReplyOutcome>;
  /** Delivers all clauses, starting with those that are there. Only the newest listener gets them. */
  listen(onClause: (clause: string) => void): void;
  abort(): void;
}

export type Ask = (live: LiveAnswer, signal: AbortSignal) => Promise<ModelReply>;

/** Asks the model now. */
export function startReply({
  ask,
  timeouts,
  nowMs,
}: {
  ask: Ask;
  timeouts: LiveAnswer['timeouts'];
  nowMs: () => number;
}): LiveReply {
  const controller = new AbortController();
  const sentAtMs = nowMs();
  const cutter = createClauseCutter();
  const clauses: string[] = [];
  let firstTokenAtMs: number | null = null;
  let firstClauseAtMs: number | null = null;
  let listener: ((clause: string) => void) | null = null;
  const take = (clause: string) => {
    firstClauseAtMs ??= nowMs();
    clauses.push(clause);
    if (!controller.signal.aborted) listener?.(clause);
  };
  const live: LiveAnswer = {
    ...(timeouts === undefined ? {} : { timeouts }),
    onText(piece) {
      firstTokenAtMs ??= nowMs();
      cutter.push(piece).forEach(take);
    },
  };
  const outcome = ask(live, controller.signal).then(
    (reply): ReplyOutcome => {
      const last = cutter.flush();
      if (last !== null) take(last);
      return { kind: 'reply', reply };
    },
    (error: unknown): ReplyOutcome => ({ kind: 'failed', error }),
  );
  return {
    sentAtMs,
    get firstTokenAtMs() {
      return firstTokenAtMs;
    },
    get firstClauseAtMs() {
      return firstClauseAtMs;
    },
    outcome,
    listen(onClause) {
      listener = onClause;
      clauses.forEach((clause) => onClause(clause));
    },
    abort: () => controller.abort(),
  };
}
