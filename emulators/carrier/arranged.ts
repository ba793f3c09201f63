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

/** What is to happen to a command instead of, or after, what it does. */
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
    /** A bare HTTP status, with a body that is JSON when it begins like it; nothing is done. */
    z.strictObject({ kind: z.literal('status'), status: z.number().int(), body: z.string().default('') }),
    /**
     * The command is done; the answer is a 500, none at all, a broken connection, the beginning of an answer
     * that stops there, or one that makes no sense.
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

/** What tests have arranged for the next commands. */
export class Arrangements {
  #waiting: Arrangement[] = [];

  add(input: ArrangementInput): void {
    this.#waiting.push(Arrangement.parse(input));
  }

  clear(): void {
    this.#waiting = [];
  }

  /** What is to happen to this command; used up by asking. */
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
