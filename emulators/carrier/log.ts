import { createWriteStream, type WriteStream } from 'node:fs';

/**
 * What a judge reads: what was commanded, what was told to the webhooks, who was rung, and what people at the
 * other end really heard, all with the time (`at`, milliseconds since 1970). README.md lists the types.
 */
export interface LogEntry {
  n: number;
  at: number;
  type: string;
  /** The leg it is about; it stays while its control id may change. */
  legId?: string;
  [field: string]: unknown;
}

/** Old entries are dropped, so that an emulator that runs for days stays small; a file keeps all. */
const maxEntries = 200_000;

export class CarrierLog {
  #entries: LogEntry[] = [];
  #count = 0;
  #file: WriteStream | null;

  /** `file`: every entry is also written there, a line of JSON each. */
  constructor(file?: string) {
    this.#file = file === undefined ? null : createWriteStream(file, { flags: 'a' });
  }

  add(type: string, fields: { legId?: string; at?: number } & Record<string, unknown>): void {
    const entry: LogEntry = { n: (this.#count += 1), type, ...fields, at: fields.at ?? Date.now() };
    this.#entries.push(entry);
    if (this.#entries.length > maxEntries) this.#entries.splice(0, maxEntries / 10);
    this.#file?.write(`${JSON.stringify(entry)}\n`);
  }

  /** In order; of one leg, of one type, after an entry. */
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
