import type { TtsAudio } from './port.ts';

interface Entry {
  clause: number;
  characters: number;
  /** Number of samples that came before the clause was sent. They cannot belong to it. */
  after: number;
}

const nothing = new Int16Array(0);

/**
 * Assigns the audio of a stream to clauses when the vendor does not. While only one clause was sent, all
 * audio is its; otherwise the ledger estimates by the time per character.
 */
export class ClauseLedger {
  readonly #samplesPerCharacter: number;
  readonly #entries: Entry[] = [];
  #current = 0;
  /** Estimated start of the current clause, in samples. */
  #start = 0;
  samples = 0;
  characters = 0;

  constructor(samplesPerCharacter: number) {
    this.#samplesPerCharacter = samplesPerCharacter;
  }

  /** Adds a clause, or a further piece of the last one. */
  add(clause: number, characters: number): void {
    this.characters += characters;
    const last = this.#entries.at(-1);
    if (last?.clause === clause) last.characters += characters;
    else this.#entries.push({ clause, characters, after: this.samples });
  }

  /** Estimated share of the sound that is still to come: 1 before the first sample, 0 at the end. */
  get owed(): number {
    return this.characters === 0
      ? 0
      : Math.max(0, 1 - this.samples / (this.characters * this.#samplesPerCharacter));
  }

  take(samples: Int16Array): TtsAudio[] {
    const pieces: TtsAudio[] = [];
    let rest = samples;
    for (let end = this.#end(); end < this.samples + rest.length; end = this.#end()) {
      const count = Math.max(0, end - this.samples);
      pieces.push(this.#piece(rest.subarray(0, count), true));
      this.samples += count;
      rest = rest.subarray(count);
      this.#current += 1;
      this.#start = this.samples;
    }
    this.samples += rest.length;
    return rest.length === 0 ? pieces : [...pieces, this.#piece(rest, false)];
  }

  /** Closes the open clauses at the end of the stream. */
  close(): TtsAudio[] {
    const open = this.#entries.slice(this.#current);
    const pieces = open.map(({ clause }) => ({
      samples: nothing,
      clause,
      isExact: this.#entries.length === 1,
      isLastOfClause: true,
    }));
    this.#current = this.#entries.length;
    return pieces;
  }

  /** Estimated end of the current clause; infinite until another clause is sent. */
  #end(): number {
    const current = this.#entries[this.#current];
    const next = this.#entries[this.#current + 1];
    if (current === undefined || next === undefined) return Number.POSITIVE_INFINITY;
    return Math.max(next.after, this.#start + Math.round(current.characters * this.#samplesPerCharacter));
  }

  #piece(samples: Int16Array, isLastOfClause: boolean): TtsAudio {
    const clause = this.#entries[this.#current]?.clause ?? 0;
    return { samples, clause, isExact: this.#entries.length === 1, isLastOfClause };
  }
}
