import type { PersonaInput } from '../../../emulators/carrier/persona.ts';

/**
 * The callees of the benchmark (emulators/carrier/persona.ts). With the agent's reply, a turn of a talker
 * takes about 8 s.
 */
export const paceMs = 8000;

const ring = { do: 'ring', ms: 1000 } as const;

/** Asks a question whenever the agent has finished, and hangs up after this many. */
export function talker(questions: number): PersonaInput {
  return {
    name: 'talker',
    steps: [
      ring,
      { do: 'answer' },
      { do: 'converse', rules: [], otherwise: 'What should I bring?', pauseMs: 1000, turns: questions },
      { do: 'hangup' },
    ],
  };
}

/**
 * Utterances of an interrupter before its first interruption, because no one may interrupt before the first
 * answer.
 */
export const wordsBeforeInterruptions = 1;

/** Interrupts this many replies. */
export function interrupter(times: number): PersonaInput {
  const cutIn = { do: 'interrupt', text: 'No, wait a moment.', afterMs: 1500 } as const;
  return {
    name: 'interrupter',
    steps: [
      ring,
      { do: 'answer' },
      { do: 'say', text: 'What should I bring?' },
      ...Array.from({ length: times }, () => cutIn),
      { do: 'hangup' },
    ],
  };
}

/** Hears the greeting and hangs up. */
export const listener: PersonaInput = {
  name: 'listener',
  steps: [ring, { do: 'answer' }, { do: 'hangup', pauseMs: 300 }],
};

/** The same, and the carrier reports the answer this late. */
export const listenerReportedLate = (lateMs: number): PersonaInput => ({
  ...listener,
  faults: { webhooks: { lateMs: { 'call.answered': lateMs } } },
});

export const busy: PersonaInput = { name: 'busy', steps: [{ do: 'busy' }] };

/** The number of the person with this index, as a trigger takes it. */
export function numberOf(index: number): string {
  return `1202555${String(1000 + index)}`;
}
