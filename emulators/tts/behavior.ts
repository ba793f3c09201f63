import { z } from 'zod';

/**
 * How the emulator answers requests that match `when`; the first match applies. Without a match it answers at
 * once, as fast as the client reads.
 */
export const Behavior = z.strictObject({
  /** All of these must match. */
  when: z
    .strictObject({
      service: z.enum(['google', 'openai']).optional(),
      voice: z.string().optional(),
      textPattern: z.string().optional(),
    })
    .default({}),
  /** The maximum number of uses. */
  times: z.int().positive().optional(),
  firstByteDelayMs: z.int().nonnegative().default(0),
  /** Times real time; absent = as fast as the client reads. */
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

  /** Replaces all behaviors. */
  set(behaviors: readonly BehaviorInput[]): void {
    this.#entries = BehaviorList.parse(behaviors).map((behavior) => ({
      behavior,
      pattern: behavior.when.textPattern === undefined ? null : new RegExp(behavior.when.textPattern, 'u'),
      used: 0,
    }));
  }

  /** The matching behavior; counts as a use. */
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
