import type { JournalEntry } from '../../domain/speech/journal.ts';
import type { JournalWrite, StepPlace } from '../../services/calls/index.ts';
import { guarded } from '../../runtime/guarded.ts';
import type { Logger } from '../../runtime/logger.ts';

/**
 * Writes the journal of live calls in the background (docs/architecture.md, A phone call).
 *
 *  - J1. `note` never waits and never throws. Entries within `lagMs` are written together, for all calls of
 *    the host.
 *  - J2. An entry that changes before it is written is written once, in its newest form.
 *  - J3. One statement runs at a time. While MySQL is down, up to `maxWaiting` entries wait and the oldest
 *    are dropped; the calls go on.
 */
export interface JournalWriter {
  note(write: JournalWrite): void;
  /** Waits until every entry has been written or could not be. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export interface JournalWriterOptions {
  write: (writes: readonly JournalWrite[]) => Promise<void>;
  log: Logger;
  lagMs?: number;
  /** Pause after a failure. */
  pauseMs?: number;
  maxWaiting?: number;
}

const maxInOneStatement = 100;

const defaults = { lagMs: 40, pauseMs: 500, maxWaiting: 20_000 } as const;

/** A journal writer that writes nothing until the first entry is noted. */
export function createJournalWriter(options: JournalWriterOptions): JournalWriter {
  return new BatchingWriter(options);
}

class BatchingWriter implements JournalWriter {
  readonly #options: Required<JournalWriterOptions>;
  /** Entries to write, oldest first. */
  readonly #waiting = new Map<string, JournalWrite>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | null = null;
  #isClosed = false;
  #failures = 0;

  constructor(options: JournalWriterOptions) {
    this.#options = { ...defaults, ...options };
  }

  note(write: JournalWrite): void {
    if (this.#isClosed) return;
    this.#waiting.set(keyOf(write), write);
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size > this.#options.maxWaiting && oldest !== undefined) this.#waiting.delete(oldest);
    this.#schedule(this.#options.lagMs);
  }

  async settled(): Promise<void> {
    for (;;) {
      if (this.#failures > 0 || (this.#waiting.size === 0 && this.#writing === null)) return;
      this.#cancelTimer();
      if (this.#writing === null) this.#schedule(0);
      await (this.#writing ?? new Promise((resolve) => setTimeout(resolve, 1)));
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.settled();
    this.#cancelTimer();
    await this.#writing;
  }

  #schedule(ms: number): void {
    if (this.#timer !== undefined || this.#writing !== null || this.#waiting.size === 0) return;
    const onFault = (error: unknown) =>
      this.#options.log.error({ err: error }, 'The journal of live calls failed');
    this.#timer = setTimeout(
      guarded(() => this.#write(), onFault),
      ms,
    );
  }

  #write(): Promise<void> {
    this.#timer = undefined;
    this.#writing = this.#writeBatch().finally(() => {
      this.#writing = null;
      this.#schedule(this.#failures === 0 ? this.#options.lagMs : this.#options.pauseMs);
    });
    return this.#writing;
  }

  #cancelTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #writeBatch(): Promise<void> {
    const batch = [...this.#waiting].slice(0, maxInOneStatement);
    for (const [key] of batch) this.#waiting.delete(key);
    try {
      await this.#options.write(batch.map(([, each]) => each));
      this.#failures = 0;
    } catch (error) {
      this.#noteFailure(error, batch.length);
      if (!this.#isClosed) this.#putBack(batch);
    }
  }

  #noteFailure(error: unknown, entries: number): void {
    this.#failures += 1;
    if (this.#failures === 1)
      this.#options.log.warn({ err: error, entries }, 'The journal of live calls cannot be written');
  }

  /** Entries that were noted meanwhile are newer than the unwritten ones. */
  #putBack(batch: readonly [string, JournalWrite][]): void {
    for (const [key, each] of batch) {
      // guarantee: journal-waits-for-mysql
      if (!this.#waiting.has(key)) this.#waiting.set(key, each);
    }
  }
}

function keyOf({
  place: { callId, turnIndex, visitIndex, toolRound },
  generation,
  entry,
}: JournalWrite): string {
  return [callId, generation, turnIndex, visitIndex, toolRound, entry.kind, entry.position].join(':');
}

/** The journal of one step at one host. */
export interface StepJournal {
  note(entry: JournalEntry): void;
}

export function stepJournal({
  writer,
  place,
  generation,
}: {
  writer: JournalWriter;
  place: StepPlace;
  generation: number;
}): StepJournal {
  return { note: (entry) => writer.note({ place, generation, entry }) };
}
