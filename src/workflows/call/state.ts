import type { Checkpoint } from '../../domain/call/checkpoint.ts';
import type { Line } from '../../domain/call/line.ts';
import type { FoundExtraction, FailedExtraction } from '../../activities/call.ts';
import type { SessionAnswer } from './messages.ts';

/** What a call carries from one run to the next. It is small, because the transcript stays in MySQL. */
export interface CallContinuation {
  startedAt: string;
  checkpoint: Checkpoint;
  /** Number of lines of the last committed turn. */
  lastLineCount: number;
  extractions: ExtractionsSoFar;
  failures: number;
  answers: KnownAnswer[];
}

/** The answer to an Update that a client may repeat. */
export interface KnownAnswer {
  updateId: string;
  /** Of a request with an idempotency key. */
  requestId?: string;
  answer: SessionAnswer;
}

/** Extractions that have ended. */
export interface ExtractionsSoFar {
  results: FoundExtraction[];
  failed: FailedExtraction[];
}

export type { Checkpoint, Line };
