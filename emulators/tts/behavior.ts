import { z } from 'zod';

/**
 * How the emulator answers what fits `when`; of several the first one holds. Without any it answers at once,
 * as fast as it is read.
 */
export const Behavior = z.strictObject({
  /** All of these must fit. */
  when: z
    .strictObject({
      service: z.enum(['google', 'openai']).optional(),
      voice: z.string().optional(),
      textPattern: z.string().optional(),
    })
    .default({}),
  /** So often, then no more. */
  times: z.int().positive().optional(),
  firstByteDelayMs: z.int().nonnegative().default(0),
  /** Times real time; absent = as fast as it is read. */
  rate: z.number().positive().optional(),
  fault: z
    .enum([
      'quota',
      'refused_voice',
      'refused_key',
      'server_error',
      'stall_first',
      'stall_middle',
      'reset_middle',
      'no_audio',
    ])
    .optional(),
});
export type Behavior = z.infer<typeof Behavior>;
export type BehaviorInput = z.input<typeof Behavior>;
export const BehaviorList = z.array(Behavior);

export type Fault = NonNullable<Behavior['fault']>;

export interface Asked {
  service: 'google' | 'openai';
  voice: string;
  text: string;
}

const usual = Behavior.parse({});

export class BehaviorBook {
  #entries: { behavior: Behavior; pattern: RegExp | null; used: number }[] = [];

  /** Replaces all. */
  set(behaviors: readonly BehaviorInput[]): void {
    this.#entries = BehaviorList.parse(behaviors).map((behavior) => ({
      behavior,
      pattern: behavior.when.textPattern === undefined ? null : new RegExp(behavior.when.textPattern, 'u'),
      used: 0,
    }));
  }

  /** Counts as a use. */
  find({ service, voice, text }: Asked): Behavior {
    const found = this.#entries.find(({ behavior: { when, times }, pattern, used }) => {
      if (used >= (times ?? Number.POSITIVE_INFINITY)) return false;
      return (
        (when.service ?? service) === service &&
        (when.voice ?? voice) === voice &&
        (pattern?.test(text) ?? true)
      );
    });
    if (found === undefined) return usual;
    found.used += 1;
    return found.behavior;
  }
}
