import type { LegOutcome } from './hangup-causes.ts';

/** Who answered, by the carrier's detection. In doubt it is a `person`, and the agent talks. */
export type Answerer = 'person' | 'machine' | 'fax';

/** Every result of detection: one row each. The adapter of a carrier translates its words into these. */
export const detectionResults = {
  human: { answerer: 'person', isSure: true },
  human_residence: { answerer: 'person', isSure: true },
  human_business: { answerer: 'person', isSure: true },
  silence: { answerer: 'person', isSure: false },
  not_sure: { answerer: 'person', isSure: false },
  machine: { answerer: 'machine', isSure: true },
  fax: { answerer: 'fax', isSure: true },
  fax_detected: { answerer: 'fax', isSure: true },
} as const satisfies Record<string, { answerer: Answerer; isSure: boolean }>;

export type DetectionResult = keyof typeof detectionResults;

/**
 * Who answered. An unknown result counts as `not_sure`: hanging up on a person is worse than talking to a
 * machine.
 */
export function answererOf(result: string): { answerer: Answerer; isSure: boolean; isKnown: boolean } {
  const isKnown = isDetectionResult(result);
  return { ...detectionResults[isKnown ? result : 'not_sure'], isKnown };
}

function isDetectionResult(result: string): result is DetectionResult {
  return Object.hasOwn(detectionResults, result);
}

/** The outcome of a call that a machine or a fax answered and the agent did not talk to (contract 8.4). */
export const unspokenOutcomes = {
  machine: { disposition: 'voicemail_detected', word: null, retryClass: 'voicemail' },
  fax: { disposition: 'failed', word: 'fax', retryClass: 'never' },
} as const satisfies Record<Exclude<Answerer, 'person'>, LegOutcome>;
