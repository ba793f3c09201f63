/** One request (a stream of Google's, an HTTP request of OpenAI's) as the emulator saw it. */
export interface LogEntry {
  id: number;
  service: 'google' | 'openai';
  model: string | null;
  voice: string | null;
  language: string | null;
  sampleRate: number | null;
  speakingRate: number | null;
  /** In order; of OpenAI's one. */
  texts: string[];
  /** Of all texts. */
  characters: number;
  ended: 'open' | 'complete' | 'client_left' | 'refused' | 'broken_by_rule';
  receivedAt: string;
  finishedAt: string | null;
}

/** Old entries are dropped, so that an emulator that runs for days stays small. */
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

/** The first end counts. */
export function finish(entry: LogEntry, ended: Exclude<LogEntry['ended'], 'open'>): void {
  if (entry.ended !== 'open') return;
  entry.ended = ended;
  entry.finishedAt = new Date().toISOString();
}
