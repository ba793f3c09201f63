import type { TtsAudio } from './port.ts';

interface Entry {
  clause: number;
  characters: number;
  /** Samples that had come when the clause was sent: they cannot be its. */
  after: number;
}

const nothing = new Int16Array(0);

/**
 * Tells which clause the audio of one stream belongs to, where the vendor does not. As long as one clause was
 * sent, it is that; beyond that by the time that a character takes.
 */
export class ClauseLedger {
  readonly #samplesPerCharacter: number;
  readonly #entries: Entry[] = [];
  #current = 0;
  /** Where the current clause is thought to begin. */
  #start = 0;
  samples = 0;
  characters = 0;

  constructor(samplesPerCharacter: number) {
    this.#samplesPerCharacter = samplesPerCharacter;
  }

  /** Of a clause that is sent in several pieces each is added. */
  add(clause: number, characters: number): void {
    this.characters += characters;
    const last = this.#entries.at(-1);
    if (last?.clause === clause) last.characters += characters;
    else this.#entries.push({ clause, characters, after: this.samples });
  }

  /**
   * What is still to come, by the same estimate, as a share of all: 1 before the first sample, 0 when all was
   * heard.
   */
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

  /** The stream is over: what is open is closed. */
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

  /** Where the current clause ends; never, while no other was sent. */
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
