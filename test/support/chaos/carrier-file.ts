import { open, type FileHandle } from 'node:fs/promises';
import { z } from 'zod';

/** One ringing of a person's phone. */
export interface Ring {
  /** `+` and digits. */
  to: string;
  /** The caller number that was shown. */
  from: string;
  /** Milliseconds since 1970. */
  at: number;
  legId: string;
  /** Our reference, unique to the attempt of a row. */
  reference: string;
}

const Leg = z.looseObject({
  type: z.literal('leg'),
  at: z.number(),
  legId: z.string(),
  state: z.string(),
  to: z.string().optional(),
  from: z.string().optional(),
  clientState: z.string().nullish(),
});

/**
 * Follows the log file of the simulated carrier, which is complete even if the carrier's memory has dropped
 * entries.
 */
export class CarrierFile {
  readonly rings: Ring[] = [];
  /** Number of ended calls. */
  ended = 0;
  /** Maximum number of concurrent legs. */
  maxLive = 0;
  /** Numbers that two concurrent calls have shown. */
  readonly shownTwice: string[] = [];
  readonly #live = new Map<string, string>();
  readonly #path: string;
  #file: FileHandle | null = null;
  #offset = 0;
  #rest = '';

  constructor(path: string) {
    this.#path = path;
  }

  /** Reads new entries. */
  async read(): Promise<void> {
    this.#file ??= await open(this.#path, 'r');
    const buffer = Buffer.alloc(1024 * 1024);
    for (;;) {
      const { bytesRead } = await this.#file.read(buffer, 0, buffer.length, this.#offset);
      if (bytesRead === 0) return;
      this.#offset += bytesRead;
      const lines = (this.#rest + buffer.toString('utf8', 0, bytesRead)).split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) if (line.includes('"type":"leg"')) this.#take(Leg.parse(JSON.parse(line)));
    }
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }

  #take({ state, at, legId, to = '', from = '', clientState }: z.infer<typeof Leg>): void {
    if (state === 'ended') {
      this.ended += 1;
      this.#live.delete(legId);
    }
    if (state !== 'ringing') return;
    if ([...this.#live.values()].includes(from)) this.shownTwice.push(from);
    this.#live.set(legId, from);
    this.rings.push({ to, from, at, legId, reference: (clientState ?? '').split('#')[0] ?? '' });
    this.maxLive = Math.max(this.maxLive, this.#live.size);
  }
}
