import { defaultSettings, unlistedDefaults } from '../../contract/data/default-settings.ts';
import { isObject, own, ownList, ownObject, ownText, type JsonObject } from '../graph/definition.ts';
import { readBoolean, readNumber } from '../graph/fields.ts';
import type { TurnSettings } from '../turn-taking/types.ts';

/**
 * The settings of an agent's version (contract 3.1), complete and within their limits. Secrets in them are as
 * they are stored. Keys that the service only stores have no field here.
 */
export interface AgentSettings {
  /** `storageKey` names an uploaded file; null = the built-in sound. `volume` is from 0 to 1. */
  ambientNoise: { isEnabled: boolean; volume: number; storageKey: string | null };
  /** From the moment media flow, over all media hosts of the call. */
  maxCallDurationMs: number;
  /** The caller's silence after the agent was heard; 0 = off. */
  maxUserIdleMs: number;
  smartTurnStopMs: number;
  turnStartStrategy: TurnSettings['startStrategy'];
  /** At least 1. */
  turnStartMinWords: number;
  /** At least 100. */
  provisionalPauseMs: number;
  turnStopStrategy: TurnSettings['stopStrategy'];
  /** Null = the default, which depends on the recognizer. */
  userTurnStopTimeoutMs: number | null;
  /** Terms for the recognizer, separated by commas or lines. */
  dictionary: string;
  /** Long histories are summarized. */
  compactsContext: boolean;
  textInactivityMs: number;
  externalPbxFieldMappings: readonly ExternalPbxFieldMapping[];
  voicemailDetection: VoicemailDetection;
  /** Lines of the transcript carry their end. */
  includesEndTimestamps: boolean;
  /** A whole model configuration in place of the organization's (contract 13.3). */
  modelConfiguration: JsonObject | null;
  /** Fields over the organization's models, by service. */
  modelOverrides: Readonly<Record<'llm' | 'tts' | 'stt', JsonObject | null>>;
}

/** Writes a value of gathered_context to a field of the customer's telephone system. */
export interface ExternalPbxFieldMapping {
  contextPath: string;
  destinationField: string;
}

/** How a call tells an answering machine from a person (contract 3.2). */
interface VoicemailDetection {
  isEnabled: boolean;
  /** The agent leaves a message before it hangs up. */
  leavesMessage: boolean;
  longSpeechMs: number;
  /** Empty = the service's own. */
  systemPrompt: string;
  /** The settings of the model to ask; null = the agent's own model. */
  ownLlm: JsonObject | null;
}

/** The part that names an agent's models. */
export type AgentModels = Pick<AgentSettings, 'modelConfiguration' | 'modelOverrides'>;

type NumberKey = {
  [Key in keyof typeof defaultSettings]: (typeof defaultSettings)[Key] extends number ? Key : never;
}[keyof typeof defaultSettings];

/** Also what keeps the history of a spoken call, which has no second run, short enough for Temporal. */
// guarantee: call-history-fits-one-run
const maxDurationSecs = 1200;

/**
 * Reads stored settings. Never throws: customers may store partial documents and wrong types, and a missing or
 * wrong value gives the default. Numbers and booleans may be written as text, but only a real
 * `true` enables background sound.
 */
export function readAgentSettings(stored: JsonObject): AgentSettings {
  const number = (key: NumberKey) => numberIn(stored, key, defaultSettings[key]);
  const overrides = ownObject(stored, 'model_overrides');
  return {
    ambientNoise: readAmbientNoise(ownObject(stored, 'ambient_noise_configuration')),
    maxCallDurationMs:
      1000 *
      clamp(positiveIn(stored, 'max_call_duration') ?? defaultSettings.max_call_duration, 1, maxDurationSecs),
    maxUserIdleMs: Math.max(0, 1000 * number('max_user_idle_timeout')),
    smartTurnStopMs: Math.max(0, 1000 * number('smart_turn_stop_secs')),
    turnStartStrategy:
      wordIn(stored, 'turn_start_strategy', ['default', 'min_words', 'provisional_vad']) ??
      defaultSettings.turn_start_strategy,
    turnStartMinWords: Math.max(1, Math.ceil(number('turn_start_min_words'))),
    provisionalPauseMs: Math.max(100, 1000 * number('provisional_vad_pause_secs')),
    turnStopStrategy:
      wordIn(stored, 'turn_stop_strategy', ['transcription', 'turn_analyzer']) ??
      defaultSettings.turn_stop_strategy,
    userTurnStopTimeoutMs: msOf(positiveIn(stored, 'user_turn_stop_timeout')),
    dictionary: ownText(stored, 'dictionary') ?? defaultSettings.dictionary,
    compactsContext:
      readBoolean(own(stored, 'context_compaction_enabled')) ?? defaultSettings.context_compaction_enabled,
    textInactivityMs: 1000 * number('text_chat_inactivity_timeout_seconds'),
    externalPbxFieldMappings: ownList(stored, 'external_pbx_field_mappings')
      .filter(isObject)
      .map(readMapping),
    voicemailDetection: readVoicemailDetection(ownObject(stored, 'voicemail_detection')),
    includesEndTimestamps:
      readBoolean(own(ownObject(stored, 'transcript_configuration'), 'include_end_timestamps')) ??
      unlistedDefaults.transcript_configuration.include_end_timestamps,
    modelConfiguration: objectIn(stored, 'model_configuration_v2_override'),
    modelOverrides: {
      llm: objectIn(overrides, 'llm'),
      tts: objectIn(overrides, 'tts'),
      stt: objectIn(overrides, 'stt'),
    },
  };
}

function readAmbientNoise(ambientNoise: JsonObject): AgentSettings['ambientNoise'] {
  const usual = defaultSettings.ambient_noise_configuration;
  return {
    isEnabled: own(ambientNoise, 'enabled') === true,
    volume: clamp(numberIn(ambientNoise, 'volume', usual.volume), 0, 1),
    storageKey: ownText(ambientNoise, 'storage_key') ?? null,
  };
}

function readMapping(mapping: JsonObject): ExternalPbxFieldMapping {
  return {
    contextPath: ownText(mapping, 'context_path')?.trim() ?? '',
    destinationField: ownText(mapping, 'destination_field')?.trim() ?? '',
  };
}

function readVoicemailDetection(voicemail: JsonObject): VoicemailDetection {
  const usual = unlistedDefaults.voicemail_detection;
  return {
    isEnabled: readBoolean(own(voicemail, 'enabled')) ?? usual.enabled,
    leavesMessage: readBoolean(own(voicemail, 'leave_message')) ?? usual.leave_message,
    longSpeechMs: 1000 * (positiveIn(voicemail, 'long_speech_timeout') ?? usual.long_speech_timeout),
    systemPrompt: ownText(voicemail, 'system_prompt') ?? usual.system_prompt,
    ownLlm: (readBoolean(own(voicemail, 'use_workflow_llm')) ?? usual.use_workflow_llm) ? null : voicemail,
  };
}

function numberIn(object: JsonObject, key: string, usual: number): number {
  return readNumber(own(object, key)) ?? usual;
}

function positiveIn(object: JsonObject, key: string): number | null {
  const number = readNumber(own(object, key)) ?? 0;
  return number > 0 ? number : null;
}

function objectIn(object: JsonObject, key: string): JsonObject | null {
  const value = own(object, key);
  return isObject(value) ? value : null;
}

function wordIn<Word extends string>(
  object: JsonObject,
  key: string,
  words: readonly Word[],
): Word | undefined {
  const value = own(object, key);
  return words.find((word) => word === value);
}

const msOf = (seconds: number | null): number | null => (seconds === null ? null : 1000 * seconds);

const clamp = (number: number, min: number, max: number): number => Math.min(max, Math.max(min, number));
