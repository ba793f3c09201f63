import { z } from 'zod';
import { Faults } from './settings.ts';

const ms = z.number().int().min(0);

/**
 * When a step begins: `agentDone` = the agent has said something and then nothing for `pauseMs`; a number =
 * so many milliseconds after the step before.
 */
const after = z.union([z.literal('agentDone'), ms]);
const pauseMs = ms.default(700);

/** A text that is looked for in what was heard: a regular expression, case ignored. */
const pattern = z.string().refine(isPattern, 'no regular expression');

const interruption = {
  /** As soon as this was heard of what the agent says now … */
  atAgentWord: pattern.optional(),
  /** … or so long after the agent began to say something. Without both: 500 ms. */
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
  /** An answering machine: answers, says its greeting, beeps, and records what it hears. */
  z.strictObject({
    do: z.literal('machine'),
    greeting: z.string().default('Nobody is home. Speak after the tone.'),
    beep: z.boolean().default(true),
    detectedAfterMs: ms.default(1_500),
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
   * Holds the line until somebody else is in the same conference: who was called for a transfer waits to be
   * spoken to.
   */
  z.strictObject({ do: z.literal('joined') }),
  /** Puts the agent on hold: hears nothing, says nothing. */
  z.strictObject({ do: z.literal('hold'), ms }),
  z.strictObject({ do: z.literal('hangup'), after: after.default('agentDone'), pauseMs }),
  /** Waits until this was heard since the last such step; says in the log whether it was. */
  z.strictObject({ do: z.literal('expectHeard'), pattern, withinMs: ms.default(20_000) }),
  /**
   * Answers turn by turn: when the agent is done, the first rule that fits what it said decides. A rule that
   * `hangsUp` ends the call after what it says; one that says it `again` repeats what was said last. A rule
   * is used as often as `times`; without one that fits, `otherwise` is said, or, when that is null, more is
   * waited for: such a person does not answer half a sentence.
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

/** A person, or a machine, at the other end of a line. What comes after the last step is silence. */
export const Persona = z.strictObject({
  name: z.string().min(1),
  steps: z.array(Step),
  /** What detection of answering machines says of somebody who answers in person; null = nothing. */
  detectedAs: z
    .enum(['human_residence', 'human_business', 'silence', 'not_sure'])
    .nullable()
    .default('human_residence'),
  /** For this call, instead of the emulator's. */
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
