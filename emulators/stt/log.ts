/** One connection as the emulator saw it; times are ISO 8601, null = not yet. */
export interface ConnectionEntry {
  id: number;
  /** The API key, which is its scope. */
  key: string;
  /** The number of the connection among those of its key, from 1. */
  nth: number;
  protocol: 'telnyx' | 'openai';
  /** Parameters of the address, or of `session.update`. */
  parameters: Record<string, unknown>;
  audioMs: number;
  /** Received control messages, without audio. */
  controls: string[];
  /** Sent finals. */
  finals: string[];
  fault: string | null;
  openedAt: string;
  closedAt: string | null;
}

/** Old entries are dropped to limit memory. */
const maxEntries = 5_000;

export class ConnectionLog {
  #entries: ConnectionEntry[] = [];
  #count = 0;
  readonly #perKey = new Map<string, number>();

  /** Counts a connection of the key and answers its number. */
  countConnection(key: string): number {
    const nth = (this.#perKey.get(key) ?? 0) + 1;
    this.#perKey.set(key, nth);
    return nth;
  }

  open({ key, nth, protocol }: Pick<ConnectionEntry, 'key' | 'nth' | 'protocol'>): ConnectionEntry {
    const entry: ConnectionEntry = {
      id: (this.#count += 1),
      key,
      nth,
      protocol,
      parameters: {},
      audioMs: 0,
      controls: [],
      finals: [],
      fault: null,
      openedAt: new Date().toISOString(),
      closedAt: null,
    };
    this.#entries.push(entry);
    if (this.#entries.length > maxEntries) this.#entries.shift();
    return entry;
  }

  /** In order of arrival; optionally of one key. */
  entries(scope?: string): ConnectionEntry[] {
    return this.#entries.filter(({ key }) => scope === undefined || key === scope);
  }

  clear(scope?: string): void {
    this.#entries = scope === undefined ? [] : this.#entries.filter(({ key }) => key !== scope);
  }
}
