import type { JournalEntry } from '../../domain/speech/journal.ts';
import type { JournalWrite, StepPlace } from '../../services/calls/index.ts';
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

export function createJournalWriter({
  write,
  log,
  lagMs = 40,
  pauseMs = 500,
  maxWaiting = 20_000,
}: JournalWriterOptions): JournalWriter {
  const waiting = new Map<string, JournalWrite>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | null = null;
  let isClosed = false;
  let failures = 0;

  function schedule(ms: number): void {
    if (timer !== undefined || writing !== null || waiting.size === 0) return;
    timer = setTimeout(() => {
      timer = undefined;
      writing = flush().finally(() => {
        writing = null;
        schedule(failures === 0 ? lagMs : pauseMs);
      });
    }, ms);
  }

  async function flush(): Promise<void> {
    const batch = [...waiting].slice(0, maxInOneStatement);
    for (const [key] of batch) waiting.delete(key);
    try {
      await write(batch.map(([, each]) => each));
      failures = 0;
    } catch (error) {
      failures += 1;
      if (failures === 1)
        log.warn({ err: error, entries: batch.length }, 'The journal of live calls cannot be written');
      if (isClosed) return;
      // Entries that were noted meanwhile are newer than the unwritten ones.
      // guarantee: journal-waits-for-mysql
      for (const [key, each] of batch) if (!waiting.has(key)) waiting.set(key, each);
    }
  }

  return {
    note(each) {
      if (isClosed) return;
      waiting.set(keyOf(each), each);
      const [oldest] = waiting.keys();
      if (waiting.size > maxWaiting && oldest !== undefined) waiting.delete(oldest);
      schedule(lagMs);
    },
    async settled() {
      for (;;) {
        if (failures > 0 || (waiting.size === 0 && writing === null)) return;
        clearTimeout(timer);
        timer = undefined;
        if (writing === null) schedule(0);
        await (writing ?? new Promise((resolve) => setTimeout(resolve, 1)));
      }
    },
    async close() {
      isClosed = true;
      await this.settled();
      clearTimeout(timer);
      timer = undefined;
      await writing;
    },
  };
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
