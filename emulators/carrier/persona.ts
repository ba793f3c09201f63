import { z } from 'zod';
import { Faults } from './settings.ts';

const ms = z.number().int().min(0);

/**
 * When a step begins: `agentDone` = the agent has spoken and then been silent for `pauseMs`; a number =
 * milliseconds after the previous step.
 */
const after = z.union([z.literal('agentDone'), ms]);
const pauseMs = ms.default(700);

/** A text to find in the heard words: a regular expression, case-insensitive. */
const pattern = z.string().refine(isPattern, 'is not a regular expression');

const interruption = {
  /** As soon as this was heard in the agent's current words … */
  atAgentWord: pattern.optional(),
  /** … or this long after the agent began to speak. Without both: 500 ms. */
  afterMs: ms.optional(),
};

const Step = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('ring'), ms }),
  z.strictObject({ do: z.literal('answer') }),
  z.strictObject({ do: z.literal('reject') }),
  z.strictObject({ do: z.literal('busy') }),
  z.strictObject({ do: z.literal('no_answer') }),
  z.strictObject({ do: z.literal('not_found') }),
  /** Ends the leg, answered or not, with any cause that the carrier knows. */
  z.strictObject({ do: z.literal('end'), cause: z.string() }),
  /** An answering machine: answers, plays its greeting, beeps, and records what it hears. */
  z.strictObject({
    do: z.literal('machine'),
    greeting: z.string().default('Nobody is home. Speak after the tone.'),
    beep: z.boolean().default(true),
    /** Null: the carrier does not detect the machine and reports only the end of its greeting. */
    detectedAfterMs: ms.nullable().default(1_500),
  }),
  z.strictObject({ do: z.literal('fax'), detectedAfterMs: ms.default(1_500) }),
  z.strictObject({ do: z.literal('say'), text: z.string(), after: after.default('agentDone'), pauseMs }),
  z.strictObject({ do: z.literal('interrupt'), text: z.string(), ...interruption }),
  z.strictObject({ do: z.literal('backchannel'), text: z.string().default('mhm'), ...interruption }),
  /** Noise without words. */
  z.strictObject({ do: z.literal('cough'), ms: ms.default(250), ...interruption }),
  z.strictObject({ do: z.literal('silence'), ms }),
  z.strictObject({
    do: z.literal('dtmf'),
    digits: z.string().regex(/^[0-9A-D*#]+$/),
    after: after.default('agentDone'),
    pauseMs,
  }),
  /**
   * Waits until another leg is in the same conference: the destination of a transfer waits to be spoken to.
   */
  z.strictObject({ do: z.literal('joined') }),
  /** Puts the agent on hold: neither hears nor says anything. */
  z.strictObject({ do: z.literal('hold'), ms }),
  z.strictObject({ do: z.literal('hangup'), after: after.default('agentDone'), pauseMs }),
  /** Waits until this was heard since the last such step, and logs the result. */
  z.strictObject({ do: z.literal('expectHeard'), pattern, withinMs: ms.default(20_000) }),
  /**
   * Answers turn by turn: when the agent has finished, the first rule that matches its words applies. A rule
   * with `hangsUp` ends the call after its words; one with `again` repeats the last words. A rule applies at
   * most `times` times. If no rule matches, `otherwise` is said or, when it is null, the persona waits for
   * more: such a person does not answer half a sentence.
   */
  z.strictObject({
    do: z.literal('converse'),
    rules: z.array(
      z.strictObject({
        heard: pattern,
        say: z.string().optional(),
        dtmf: z.string().optional(),
        again: z.boolean().default(false),
        hangsUp: z.boolean().default(false),
        times: z.number().int().min(1).default(1_000),
      }),
    ),
    otherwise: z.string().nullable().default('Yes.'),
    pauseMs,
    turns: z.number().int().min(1).default(100),
  }),
]);

export type Step = z.infer<typeof Step>;

/** A person or a machine at the other end of a leg. After the last step it is silent. */
export const Persona = z.strictObject({
  name: z.string().min(1),
  steps: z.array(Step),
  /** The result of answering machine detection for a persona that answers in person; null = none. */
  detectedAs: z
    .enum(['human_residence', 'human_business', 'silence', 'not_sure'])
    .nullable()
    .default('human_residence'),
  /** For this call, instead of the emulator's faults. */
  faults: Faults.optional(),
});

export type Persona = z.infer<typeof Persona>;
export type PersonaInput = z.input<typeof Persona>;

export function fits(source: string, text: string): boolean {
  return new RegExp(source, 'i').test(text);
}

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, 'i') instanceof RegExp;
  } catch {
    return false;
  }
}
