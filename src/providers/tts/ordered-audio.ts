import type { TtsAudio } from './port.ts';

/** The audio of one request to a vendor, a part of a reply. */
export interface AudioPart {
  push(audio: TtsAudio): void;
  finish(): void;
}

interface Part {
  waiting: TtsAudio[];
  isFinished: boolean;
}

/**
 * The audio of a reply, from parts that are filled concurrently and read in order. Can be read once. A
 * failure is thrown after the audio before it, an abort at once.
 */
export class OrderedAudio implements AsyncIterable<TtsAudio> {
  readonly #onLeft: () => void;
  readonly #parts: Part[] = [];
  #isClosed = false;
  #failure: { error: unknown } | null = null;
  #wake: () => void = () => undefined;

  /** `onLeft`: called when the reader stops or reaches the end. */
  constructor(onLeft: () => void) {
    this.#onLeft = onLeft;
  }

  /** Adds the next part. Audio that is pushed after a failure is dropped. */
  addPart(): AudioPart {
    const part: Part = { waiting: [], isFinished: false };
    this.#parts.push(part);
    return {
      push: (audio) => {
        if (this.#failure !== null) return;
        part.waiting.push(audio);
        this.#wake();
      },
      finish: () => {
        part.isFinished = true;
        this.#wake();
      },
    };
  }

  /** No part follows. */
  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake();
  }

  /** As `fail`, but drops unread audio. */
  abort(error: unknown): void {
    this.#failure = { error };
    this.#parts.length = 0;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<TtsAudio> {
    try {
      for (;;) {
        const next = this.#take();
        if (next !== null) yield next;
        else if (this.#failure !== null) throw this.#failure.error;
        else if (this.#isClosed && this.#parts.length === 0) return;
        else await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      this.#onLeft();
    }
  }

  #take(): TtsAudio | null {
    for (let head = this.#parts[0]; head !== undefined; head = this.#parts[0]) {
      const next = head.waiting.shift();
      if (next !== undefined) return next;
      if (!head.isFinished) return null;
      this.#parts.shift();
    }
    return null;
  }
}
