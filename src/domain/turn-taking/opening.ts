import { change, isVoiceOn, order, type Update, type Opening, type TurnState } from './state.ts';
import {
  classifyLimitMs,
  falseStartMs,
  finalSlackMs,
  openingHoldMs,
  transcriptionSilenceMs,
} from './timing.ts';
import type { TurnSettings } from './types.ts';
import { joinTexts } from '../speech/words.ts';

/**
 * The far end's first turn, by which `voicemail_detection` distinguishes a person from a machine (contract
 * 3.2). It is heard even while the caller is muted. Output waits until the turn is judged, or until the far
 * end has been silent for `openingHoldMs`.
 */

export function beginOpening(update: Update): void {
  if (update.settings.voicemail === null) return;
  change(update, {
    opening: {
      beganAtMs: update.atMs,
      voiceAtMs: null,
      text: '',
      interim: '',
      wordsAtMs: null,
      askedAtMs: null,
    },
    pause: { kind: 'opening' },
  });
  order(update, { kind: 'pause_output' });
}

export const isOpeningHeard = ({ opening }: TurnState): boolean =>
  opening !== null && opening.askedAtMs === null;

export function hearOpening(
  update: Update,
  { final, interim = '' }: { final?: string; interim?: string },
): void {
  const { opening } = update.state;
  if (opening === null || joinTexts([final ?? '', interim]) === '') return;
  change(update, {
    opening: { ...opening, text: joinTexts([opening.text, final ?? '']), interim, wordsAtMs: update.atMs },
  });
}

const saidIn = ({ text, interim }: Opening): string => joinTexts([text, interim]);

/** When the first turn is over or too long. */
export function classifyAtMs(settings: TurnSettings, { opening, voice, ...rest }: TurnState): number | null {
  if (opening === null || opening.askedAtMs !== null || saidIn(opening) === '' || settings.voicemail === null)
    return null;
  const longAtMs =
    opening.voiceAtMs === null ? Infinity : opening.voiceAtMs + settings.voicemail.longSpeechMs;
  if (isVoiceOn({ opening, voice, ...rest })) return longAtMs;
  const wordsAtMs = opening.wordsAtMs ?? opening.beganAtMs;
  const isVoiced =
    voice.stoppedAtMs !== null &&
    !voice.isNoise &&
    wordsAtMs <= voice.stoppedAtMs + settings.p99FinalMs + finalSlackMs;
  const quietAtMs = isVoiced ? (voice.stoppedAtMs ?? wordsAtMs) : wordsAtMs;
  return Math.min(
    longAtMs,
    quietAtMs +
      (opening.interim === ''
        ? transcriptionSilenceMs
        : Math.max(transcriptionSilenceMs, settings.p99FinalMs)),
  );
}

export function classify(update: Update): void {
  const { opening } = update.state;
  if (opening === null) return;
  change(update, { opening: { ...opening, askedAtMs: update.atMs } });
  order(update, { kind: 'classify_opening', text: saidIn(opening) });
}

/** When the agent speaks to a silent far end. Its first turn is judged later. */
export function releaseAtMs(_settings: TurnSettings, state: TurnState): number | null {
  const { opening, pause, voice } = state;
  if (
    pause?.kind !== 'opening' ||
    opening === null ||
    opening.askedAtMs !== null ||
    saidIn(opening) !== '' ||
    isVoiceOn(state)
  )
    return null;
  const quietAtMs = voice.stoppedAtMs === null ? null : voice.stoppedAtMs + falseStartMs;
  return Math.max(opening.beganAtMs + openingHoldMs, quietAtMs ?? 0);
}

export function release(update: Update): void {
  const { opening, pause } = update.state;
  if (opening !== null) change(update, { opening: { ...opening, voiceAtMs: null } });
  if (pause?.kind !== 'opening') return;
  change(update, { pause: null });
  order(update, { kind: 'resume_output' });
}

/** Without an answer by then, the far end is a person. */
export const classifyLimitAtMs = (_settings: TurnSettings, { opening }: TurnState): number | null =>
  opening === null || opening.askedAtMs === null ? null : opening.askedAtMs + classifyLimitMs;

/** For a machine, output stays paused: the Workflow ends the call or begins another reply. */
export function endOpening(update: Update, isMachine: boolean): void {
  if (update.state.opening === null || update.state.opening.askedAtMs === null) return;
  if (isMachine && update.state.pause?.kind === 'opening') change(update, { pause: null });
  release(update);
  change(update, { opening: null });
}
