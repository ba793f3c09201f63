import { createListener } from '../modem/listener.ts';

export interface HeardUtterance {
  text: string;
  /** Milliseconds since 1970: when its first and its last character had been heard. */
  beganAt: number;
  endedAt: number;
  words: { text: string; endedAt: number }[];
}

/** A character is understood about so long after it ended, when the next one has begun. */
const latencyMs = 40;
/** Silence after which nothing of a character is to come. */
const endMs = 100;
/** A pause as long ends an utterance in the log. */
const pauseMs = 400;

/** What somebody at the end of a line understands of what really came out of it. */
export class Ear {
  #listener;
  #now = 0;
  #utterance: HeardUtterance | null = null;
  #onUtterance: (utterance: HeardUtterance) => void;

  constructor(onUtterance: (utterance: HeardUtterance) => void) {
    this.#onUtterance = onUtterance;
    this.#listener = createListener({ sampleRate: 8000, onText: (text) => this.#add(text) });
  }

  /** All words so far. */
  get text(): string {
    return this.#listener.text;
  }

  get silentMs(): number {
    return this.#listener.silentMs;
  }

  /** One frame, heard at that moment. */
  hear(samples: Int16Array, at: number): void {
    this.#now = at;
    this.#listener.push(samples);
    if (this.#utterance !== null && this.#listener.silentMs > pauseMs) this.flush();
  }

  /** Nothing will be heard any more: a character that sounded to its end is understood all the same. */
  end(): void {
    this.#listener.push(new Int16Array(endMs * 8));
    this.flush();
  }

  /** Tells the utterance that goes on. */
  flush(): void {
    const utterance = this.#utterance;
    this.#utterance = null;
    if (utterance !== null)
      this.#onUtterance({
        ...utterance,
        text: utterance.text.trim(),
        words: utterance.words.filter(({ text }) => text !== ''),
      });
  }

  #add(text: string): void {
    const at = this.#now - latencyMs;
    this.#utterance ??= { text: '', beganAt: at, endedAt: at, words: [{ text: '', endedAt: at }] };
    const { words } = this.#utterance;
    this.#utterance.text += text;
    this.#utterance.endedAt = at;
    for (const character of text) {
      const last = words.at(-1);
      if (/\s/.test(character)) words.push({ text: '', endedAt: at });
      else if (last !== undefined) {
        last.text += character;
        last.endedAt = at;
      }
    }
  }
}
