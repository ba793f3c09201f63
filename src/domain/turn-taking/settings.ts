import { own, ownObject, type JsonObject } from '../graph/definition.ts';
import { readBoolean, readNumber } from '../graph/fields.ts';
import { backchannelsOf } from './backchannels.ts';
import type { TurnSettings } from './types.ts';

/** What the agent's settings do not say. */
export interface TurnCircumstances {
  /** BCP 47 of the recognizer, or `multi`. */
  language: string;
  channel: { kind: 'phone' | 'web'; direction: 'inbound' | 'outbound' };
  recognizer: { p99FinalMs: number; hasInterims: boolean; marksTurns: boolean };
  /** How long media have flowed on hosts before this one; absent = this is the first. */
  usedMs?: number;
  /** How long before the limit the closing line begins, instead of 10 s. */
  closingLeadMs?: number;
}

const defaults = {
  minWords: 3,
  provisionalPauseSecs: 1.5,
  smartTurnStopSecs: 2,
  idleSecs: 10,
  durationSecs: 300,
  longSpeechSecs: 8,
  closingLeadMs: 10_000,
};
/** Also what keeps the history of a spoken call, which has no second run, short enough for Temporal. */
// guarantee: longest-spoken-call-no
const maxDurationSecs = 1200;
const turnStopSecs = { usual: 5, recognizerMarksTurns: 30 };

/**
 * The fields of contract 3.1 that concern turns, as 3.2 reads them. Values are read laxly: what is no number
 * is the default.
 */
export function readTurnSettings(
  settings: JsonObject,
  { language, channel, recognizer, usedMs = 0, closingLeadMs = defaults.closingLeadMs }: TurnCircumstances,
): TurnSettings {
  const seconds = (key: string, usual: number) => readNumber(own(settings, key)) ?? usual;
  const durationMs = maxDurationMsOf(settings);
  const stopSecs = recognizer.marksTurns ? turnStopSecs.recognizerMarksTurns : turnStopSecs.usual;
  return {
    startStrategy: recognizer.marksTurns
      ? 'default'
      : oneOf(own(settings, 'turn_start_strategy'), ['default', 'min_words', 'provisional_vad']),
    minWords: Math.max(1, Math.ceil(seconds('turn_start_min_words', defaults.minWords))),
    provisionalPauseMs: Math.max(
      100,
      1000 * seconds('provisional_vad_pause_secs', defaults.provisionalPauseSecs),
    ),
    stopStrategy: oneOf(own(settings, 'turn_stop_strategy'), ['transcription', 'turn_analyzer']),
    smartTurnStopMs: Math.max(0, 1000 * seconds('smart_turn_stop_secs', defaults.smartTurnStopSecs)),
    userTurnStopTimeoutMs: 1000 * (positive(seconds('user_turn_stop_timeout', stopSecs)) ?? stopSecs),
    idleMs: Math.max(0, 1000 * seconds('max_user_idle_timeout', defaults.idleSecs)),
    maxDurationMs: Math.max(0, durationMs - usedMs),
    closingLeadMs: Math.min(closingLeadMs, durationMs / 2),
    ...recognizer,
    language,
    backchannels: backchannelsOf(language),
    voicemail: usedMs === 0 ? voicemailOf(settings, channel) : null,
  };
}

/** The longest conversation, from the moment that media flow (contract 3.2). */
export function maxDurationMsOf(settings: JsonObject): number {
  const seconds = readNumber(own(settings, 'max_call_duration')) ?? defaults.durationSecs;
  return 1000 * clamp(positive(seconds) ?? defaults.durationSecs, 1, maxDurationSecs);
}

/**
 * Off unless it is turned on, and on the far end of calls that we dialed only: who calls us is no answering
 * machine.
 */
function voicemailOf(
  settings: JsonObject,
  { kind, direction }: TurnCircumstances['channel'],
): TurnSettings['voicemail'] {
  if (kind === 'web' || direction === 'inbound') return null;
  const voicemail = ownObject(settings, 'voicemail_detection');
  if (readBoolean(own(voicemail, 'enabled')) !== true) return null;
  const seconds =
    positive(readNumber(own(voicemail, 'long_speech_timeout')) ?? defaults.longSpeechSecs) ??
    defaults.longSpeechSecs;
  return { longSpeechMs: 1000 * seconds };
}

const positive = (number: number): number | undefined => (number > 0 ? number : undefined);

const clamp = (number: number, min: number, max: number): number => Math.min(max, Math.max(min, number));

/** The first word where the value is none of them. */
function oneOf<Word extends string>(value: unknown, words: readonly [Word, ...Word[]]): Word {
  return words.find((word) => word === value) ?? words[0];
}
