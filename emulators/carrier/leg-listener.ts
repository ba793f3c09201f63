import { createListener } from '../modem/listener.ts';

export interface HeardUtterance {
  text: string;
  /** Milliseconds since 1970 at which its first and its last character were heard. */
  beganAt: number;
  endedAt: number;
  words: { text: string; endedAt: number }[];
}

/** A character is recognized this long after its end, once the next one has begun. */
const latencyMs = 40;
/** Silence after which a character counts as complete. */
const endMs = 100;
/** A pause of this length ends an utterance in the log. */
const pauseMs = 400;

/** What a listener at the end of a leg understands of the actual audio. */
export class LegListener {
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

  /** One frame, heard at that time. */
  hear(samples: Int16Array, at: number): void {
    this.#now = at;
    this.#listener.push(samples);
    if (this.#utterance !== null && this.#listener.silentMs > pauseMs) this.flush();
  }

  /** The audio ends. A character that was heard completely is still recognized. */
  end(): void {
    this.#listener.push(new Int16Array(endMs * 8));
    this.flush();
  }

  /** Logs the current utterance. */
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
