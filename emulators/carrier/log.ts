import { createWriteStream, type WriteStream } from 'node:fs';

/**
 * Log for judges: commands, webhooks, rung numbers, and what the callees actually heard, each with its time
 * (`at`, milliseconds since 1970). README.md lists the types.
 */
export interface LogEntry {
  n: number;
  at: number;
  type: string;
  /** The leg of the entry; constant even if its control id changes. */
  legId?: string;
  [field: string]: unknown;
}

/** Old entries are dropped to limit memory; a log file keeps all of them. */
const maxEntries = 200_000;

export class CarrierLog {
  #entries: LogEntry[] = [];
  #count = 0;
  #file: WriteStream | null;

  /** `file`: every entry is also appended to it as a line of JSON. */
  constructor(file?: string) {
    this.#file = file === undefined ? null : createWriteStream(file, { flags: 'a' });
  }

  add(type: string, fields: { legId?: string; at?: number } & Record<string, unknown>): void {
    const entry: LogEntry = { n: (this.#count += 1), type, ...fields, at: fields.at ?? Date.now() };
    this.#entries.push(entry);
    if (this.#entries.length > maxEntries) this.#entries.splice(0, maxEntries / 10);
    this.#file?.write(`${JSON.stringify(entry)}\n`);
  }

  /** In order; optionally of one leg, of one type, after an entry. */
  entries({
    legId,
    type,
    after = 0,
  }: { legId?: string | undefined; type?: string | undefined; after?: number | undefined } = {}): LogEntry[] {
    return this.#entries.filter(
      (each) =>
        each.n > after &&
        (legId === undefined || each.legId === legId) &&
        (type === undefined || each.type === type),
    );
  }

  clear(): void {
    this.#entries = [];
  }

  async close(): Promise<void> {
    const file = this.#file;
    if (file !== null) await new Promise<void>((resolve) => file.end(resolve));
  }
}
