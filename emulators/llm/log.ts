import type { Answer } from './decide.ts';

/** How the sending of an answer ended. */
export type Sent = 'no' | 'complete' | 'client_left' | 'broken_by_rule';

/** One request as the emulator saw it; times are ISO 8601, null = not yet. */
export interface LogEntry {
  id: number;
  /** The API key of the request, which is its scope; null when none was sent. */
  key: string | null;
  request: unknown;
  rule: string | null;
  /** The HTTP status of the answer; null without an answer. */
  status: number | null;
  error: string | null;
  answer: Answer | null;
  sent: Sent;
  receivedAt: string;
  firstPieceAt: string | null;
  finishedAt: string | null;
}

/** Old entries are dropped to limit memory. */
const maxEntries = 5_000;

export class RequestLog {
  #entries: LogEntry[] = [];
  #count = 0;

  open(): LogEntry {
    const entry: LogEntry = {
      id: (this.#count += 1),
      key: null,
      request: null,
      rule: null,
      status: null,
      error: null,
      answer: null,
      sent: 'no',
      receivedAt: new Date().toISOString(),
      firstPieceAt: null,
      finishedAt: null,
    };
    this.#entries.push(entry);
    if (this.#entries.length > maxEntries) this.#entries.shift();
    return entry;
  }

  /** In order of arrival; optionally of one key. */
  entries(scope?: string): LogEntry[] {
    return this.#entries.filter(({ key }) => scope === undefined || key === scope);
  }

  clear(scope?: string): void {
    this.#entries = scope === undefined ? [] : this.#entries.filter(({ key }) => key !== scope);
  }
}
