import { levelOf } from './samples.ts';

/**
 * Detects speech by loudness over an adapting noise floor, with hysteresis. Zero crossings exclude hum and
 * faint hiss. A pure reducer over frames of 20 ms. It is weak against babble and music, so turn taking
 * considers words, too.
 */
export const voiceFrameMs = 20;

/**
 * A voice starts after this much speech (a quiet frame in between subtracts one) and stops after this much
 * silence in a row.
 */
export const voiceStartMs = 160;
export const voiceStopMs = 200;

export interface VoiceState {
  isSpeaking: boolean;
  /** The noise floor: the level of the background. */
  floor: number;
  /** Level of the quietest frame in the current window, and the age of that window. */
  lowest: number;
  windowMs: number;
  /** Milliseconds of speech that count toward a start. */
  voicedMs: number;
  /** Milliseconds of silence in a row. */
  quietMs: number;
}

/** `voice_started`: the voice began `voiceStartMs` ago. `voice_stopped`: it ended `voiceStopMs` ago. */
export type VoiceEvent = 'voice_started' | 'voice_stopped';

export interface FrameMeasure {
  /** 0 to 32,767. */
  level: number;
  /** Per second; a tone of 100 Hz has 200. */
  zeroCrossings: number;
}

/**
 * The noise floor stays between these. The lower one is that of a quiet call, so that the first hiss of a
 * silent one is no voice; the upper one is the level at which voices begin.
 */
const minFloor = 60;
const maxFloor = 1500;
/** About -43 dB of full scale. Quieter sound is not speech to us. */
const minVoice = 230;
/** A voice starts at 9 dB over the noise floor and continues at 5 dB. */
const startOverFloor = 2.8;
const keepOverFloor = 1.8;
/** Fewer crossings are hum or a thump. */
const minCrossings = 150;
/** More crossings are hiss, unless the frame is loud: an s or f within a word. */
const hissCrossings = 4500;
const hissOverFloor = 4;

/**
 * The noise floor falls at once and rises within a second while no one speaks. During speech, it rises to the
 * quietest frame of each window: voices have quiet frames, noise has none.
 */
const fallShare = 0.3;
const riseShare = 0.02;
const windowMs = 2000;

export const noVoice: VoiceState = {
  isSpeaking: false,
  floor: minFloor,
  lowest: maxFloor,
  windowMs: 0,
  voicedMs: 0,
  quietMs: 0,
};

export function measureFrame(samples: Int16Array, sampleRate: number): FrameMeasure {
  let crossings = 0;
  for (let index = 1; index < samples.length; index += 1)
    if (samples[index - 1] !== undefined && (samples[index - 1] ?? 0) < 0 !== (samples[index] ?? 0) < 0)
      crossings += 1;
  return {
    level: levelOf(samples),
    zeroCrossings: samples.length === 0 ? 0 : (crossings * sampleRate) / samples.length,
  };
}

export function hearFrame(
  state: VoiceState,
  measure: FrameMeasure,
): { state: VoiceState; event: VoiceEvent | null } {
  const isVoiced = isVoice(state, measure);
  const background = nextBackground(state, measure.level, isVoiced);
  const quietMs = isVoiced ? 0 : state.quietMs + voiceFrameMs;
  if (state.isSpeaking) {
    const hasStopped = quietMs >= voiceStopMs;
    return {
      state: { ...background, isSpeaking: !hasStopped, voicedMs: 0, quietMs },
      event: hasStopped ? 'voice_stopped' : null,
    };
  }
  const voicedMs = Math.max(0, state.voicedMs + (isVoiced ? voiceFrameMs : -voiceFrameMs));
  const hasStarted = voicedMs >= voiceStartMs;
  return {
    state: { ...background, isSpeaking: hasStarted, voicedMs: hasStarted ? 0 : voicedMs, quietMs },
    event: hasStarted ? 'voice_started' : null,
  };
}

/**
 * Follows a sound frame by frame. Returns for each frame whether it has speech: true after `voiceStartMs` of
 * voice, false in the pauses.
 */
export function followVoice(sampleRate: number): (frame: Int16Array) => boolean {
  let state = noVoice;
  return (frame) => {
    ({ state } = hearFrame(state, measureFrame(frame, sampleRate)));
    return state.isSpeaking && state.quietMs === 0;
  };
}

function isVoice(
  { isSpeaking, floor, voicedMs }: VoiceState,
  { level, zeroCrossings }: FrameMeasure,
): boolean {
  const over = isSpeaking || voicedMs > 0 ? keepOverFloor : startOverFloor;
  if (level < minVoice || level < floor * over || zeroCrossings < minCrossings) return false;
  return zeroCrossings < hissCrossings || level > floor * hissOverFloor;
}

function nextBackground(
  state: VoiceState,
  level: number,
  isVoiced: boolean,
): Pick<VoiceState, 'floor' | 'lowest' | 'windowMs'> {
  const lowest = Math.min(state.lowest, level);
  const age = state.windowMs + voiceFrameMs;
  const share = level < state.floor ? fallShare : isVoiced ? 0 : riseShare;
  const followed = state.floor + (level - state.floor) * share;
  const isOver = age >= windowMs;
  const floor = Math.min(maxFloor, Math.max(minFloor, isOver ? Math.max(followed, lowest) : followed));
  return isOver ? { floor, lowest: maxFloor, windowMs: 0 } : { floor, lowest, windowMs: age };
}
