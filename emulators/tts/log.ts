/** One request (a stream for Google, an HTTP request for OpenAI) as the emulator saw it. */
export interface LogEntry {
  id: number;
  service: 'google' | 'openai';
  model: string | null;
  voice: string | null;
  language: string | null;
  sampleRate: number | null;
  speakingRate: number | null;
  /** In order; OpenAI's requests have one. */
  texts: string[];
  /** Of all texts. */
  characters: number;
  ended: 'open' | 'complete' | 'client_left' | 'refused' | 'broken_by_rule';
  receivedAt: string;
  finishedAt: string | null;
}

/** Old entries are dropped to limit memory. */
const maxEntries = 5_000;

export class RequestLog {
  #entries: LogEntry[] = [];
  #count = 0;

  open(service: LogEntry['service']): LogEntry {
    const entry: LogEntry = {
      id: (this.#count += 1),
      service,
      model: null,
      voice: null,
      language: null,
      sampleRate: null,
      speakingRate: null,
      texts: [],
      characters: 0,
      ended: 'open',
      receivedAt: new Date().toISOString(),
      finishedAt: null,
    };
    this.#entries.push(entry);
    if (this.#entries.length > maxEntries) this.#entries.shift();
    return entry;
  }

  entries(): LogEntry[] {
    return [...this.#entries];
  }

  clear(): void {
    this.#entries = [];
  }
}

export function addText(entry: LogEntry, text: string): void {
  entry.texts.push(text);
  entry.characters += text.length;
}

/** Records the end of a request; the first end counts. */
export function finish(entry: LogEntry, ended: Exclude<LogEntry['ended'], 'open'>): void {
  if (entry.ended !== 'open') return;
  entry.ended = ended;
  entry.finishedAt = new Date().toISOString();
}
