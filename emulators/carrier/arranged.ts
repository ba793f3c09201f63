import { z } from 'zod';
import { isProblemCode } from './problems.ts';

export const commandNames = [
  'dial',
  'answer',
  'reject',
  'hangup',
  'streaming_start',
  'streaming_stop',
  'speak',
  'playback_start',
  'playback_stop',
  'send_dtmf',
  'status',
  'active_calls',
  'conference_create',
  'conference_join',
  'account',
] as const;

export type CommandName = (typeof commandNames)[number];

/** What happens to a command instead of its effect, or after it. */
export const Arrangement = z.strictObject({
  command: z.enum(commandNames),
  how: z.discriminatedUnion('kind', [
    /** The carrier's own refusal; nothing is done. `accountCode`: such as D38. */
    z.strictObject({
      kind: z.literal('problem'),
      code: z.string().refine(isProblemCode, 'unknown code'),
      accountCode: z.string().optional(),
      detail: z.string().optional(),
      retryAfterSeconds: z.number().int().optional(),
    }),
    /** A bare HTTP status, with a JSON body if it begins like JSON; nothing is done. */
    z.strictObject({ kind: z.literal('status'), status: z.number().int(), body: z.string().default('') }),
    /**
     * The command is done, but the answer is a 500, missing, a broken connection, a truncated answer, or
     * nonsense.
     */
    z.strictObject({
      kind: z.literal('after_effect'),
      answer: z.enum(['error', 'silence', 'reset', 'half', 'nonsense']),
    }),
    /** The same without the effect. */
    z.strictObject({ kind: z.literal('no_effect'), answer: z.enum(['error', 'silence', 'reset']) }),
  ]),
  times: z.number().int().min(1).default(1),
  /** Only for commands about this number. */
  number: z.string().optional(),
});

export type Arrangement = z.infer<typeof Arrangement>;
export type ArrangementInput = z.input<typeof Arrangement>;

/** The faults that tests have arranged for the next commands. */
export class Arrangements {
  #waiting: Arrangement[] = [];

  add(input: ArrangementInput): void {
    this.#waiting.push(Arrangement.parse(input));
  }

  clear(): void {
    this.#waiting = [];
  }

  /** The arranged fault of this command, which is then used up. */
  take(command: CommandName, number: string | undefined): Arrangement['how'] | null {
    const found = this.#waiting.find(
      (each) => each.command === command && (each.number === undefined || each.number === number),
    );
    if (found === undefined) return null;
    found.times -= 1;
    if (found.times === 0) this.#waiting = this.#waiting.filter((each) => each !== found);
    return found.how;
  }
}
