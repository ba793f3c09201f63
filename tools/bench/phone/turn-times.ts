import type { TurnTimings } from '../../../src/domain/call/voice.ts';

/** The delays of the simulated providers in milliseconds. */
export interface Delays {
  firstTokenMs: number;
  firstAudioMs: number;
}

/** Times of one spoken turn, computed from the timings in the row of the turn. Milliseconds. */
export interface TurnTimes {
  /** From the decision that the caller has finished to the first frame of the reply. */
  wholeMs: number;
  /**
   * The same without the part of the providers' configured delay after the decision: additional time of the
   * emulators counts as ours.
   */
  overheadMs: number;
  /**
   * The same without the providers' time as the media host saw it: the host's own wait for the processor
   * during that time counts as theirs.
   */
  seenOverheadMs: number;
  stages: Record<Stage, number>;
}

/** They do not add up to the whole time, because model and voice work while the Workflow decides. */
export const stages = [
  'speech_end_to_decision',
  'decision_to_claim',
  'model',
  'first_token_to_voice',
  'voice',
  'first_sound_to_frame',
] as const;

export type Stage = (typeof stages)[number];

/** Null when the turn answered no speech, or was not heard. */
export function turnTimes(
  timings: TurnTimings | null,
  { firstTokenMs, firstAudioMs }: Delays,
): TurnTimes | null {
  if (timings === null) return null;
  const {
    speechEndMs,
    turnDecidedMs,
    claimedMs,
    llmSentMs,
    llmFirstTokenMs,
    ttsSentMs,
    ttsFirstByteMs,
    firstFrameSentMs,
  } = timings;
  if (
    speechEndMs === null ||
    turnDecidedMs === null ||
    claimedMs === null ||
    llmSentMs === null ||
    llmFirstTokenMs === null ||
    ttsSentMs === null ||
    ttsFirstByteMs === null ||
    firstFrameSentMs === null
  )
    return null;
  const afterDecision = (fromMs: number, toMs: number) => Math.max(0, toMs - Math.max(fromMs, turnDecidedMs));
  const wholeMs = firstFrameSentMs - turnDecidedMs;
  return {
    wholeMs,
    overheadMs:
      wholeMs -
      afterDecision(llmSentMs, llmSentMs + firstTokenMs) -
      afterDecision(ttsSentMs, ttsSentMs + firstAudioMs),
    seenOverheadMs:
      wholeMs - afterDecision(llmSentMs, llmFirstTokenMs) - afterDecision(ttsSentMs, ttsFirstByteMs),
    stages: {
      speech_end_to_decision: turnDecidedMs - speechEndMs,
      decision_to_claim: claimedMs - turnDecidedMs,
      model: llmFirstTokenMs - llmSentMs,
      first_token_to_voice: ttsSentMs - llmFirstTokenMs,
      voice: ttsFirstByteMs - ttsSentMs,
      first_sound_to_frame: firstFrameSentMs - ttsFirstByteMs,
    },
  };
}
