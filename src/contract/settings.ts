import type { z } from 'zod';
import { defaultSettings } from './data/default-settings.ts';
import { list, openRecord, record, type JsonObject } from './lax/collections.ts';
import { boolean, integer, number } from './lax/number.ts';
import { literal, text } from './lax/text.ts';

/** The pattern of names inside a foreign telephone system (contract 3.1). */
const fieldName = '^[A-Za-z][A-Za-z0-9_]{0,63}$';

/** Seconds of silence in a text conversation. */
export const inactivityLimits = { ge: 60, le: 10_500 };

const shownDefault = <Name extends keyof typeof defaultSettings>(name: Name) => ({
  override: { default: defaultSettings[name] },
});

/** Background sound under the agent's voice (contract 3.1); other keys are kept. */
export const AmbientNoiseConfiguration = openRecord({
  enabled: boolean()
    .optional()
    .meta({ override: { default: defaultSettings.ambient_noise_configuration.enabled } }),
  volume: number()
    .optional()
    .meta({ override: { default: defaultSettings.ambient_noise_configuration.volume } }),
}).meta({ id: 'AmbientNoiseConfiguration', description: "Background sound under the agent's voice." });

/** One value of gathered_context written to a field of a foreign telephone system. */
export const ExternalPbxFieldMapping = record({
  context_path: text({ min: 1, max: 255, trim: true }),
  destination_field: text({ pattern: fieldName, trim: true }),
}).meta({
  id: 'ExternalPbxFieldMapping',
  description: 'Maps one gathered value to a provider-native field.',
});

/**
 * The settings of an agent (contract 3.1, wire name `workflow_configurations`). Only the keys that were sent
 * come out; a null at the top level is dropped; unknown keys are kept. The order is the order of the 422
 * records.
 */
export const WorkflowConfigurations = openRecord({
  ambient_noise_configuration: AmbientNoiseConfiguration.nullish(),
  max_call_duration: integer({ gt: 0, le: 1200 })
    .nullish()
    .meta({
      ...shownDefault('max_call_duration'),
      description: 'Seconds from the start of the media session.',
    }),
  max_user_idle_timeout: number()
    .nullish()
    .meta({ ...shownDefault('max_user_idle_timeout'), description: 'Seconds of silence of the caller.' }),
  smart_turn_stop_secs: number().nullish().meta(shownDefault('smart_turn_stop_secs')),
  turn_start_strategy: literal('default', 'min_words', 'provisional_vad')
    .nullish()
    .meta(shownDefault('turn_start_strategy')),
  turn_start_min_words: integer().nullish().meta(shownDefault('turn_start_min_words')),
  provisional_vad_pause_secs: number().nullish().meta(shownDefault('provisional_vad_pause_secs')),
  turn_stop_strategy: literal('transcription', 'turn_analyzer')
    .nullish()
    .meta(shownDefault('turn_stop_strategy')),
  dictionary: text()
    .nullish()
    .meta({
      ...shownDefault('dictionary'),
      description: 'Words the recognizer should know, comma-separated.',
    }),
  context_compaction_enabled: boolean().nullish().meta(shownDefault('context_compaction_enabled')),
  text_chat_inactivity_timeout_seconds: integer(inactivityLimits)
    .nullish()
    .meta(shownDefault('text_chat_inactivity_timeout_seconds')),
  external_pbx_field_mappings: list(ExternalPbxFieldMapping, { max: 100 }).nullish(),
  external_pbx_lead_headers: list(text({ pattern: fieldName, trim: true }), { max: 50 }).nullish(),
})
  .transform((settings): JsonObject => withoutNulls(settings))
  .meta({
    id: 'WorkflowConfigurations',
    description:
      'Settings of an agent. Replaced as a whole; defaults are not filled in; keys beyond these are kept.',
  });
export type WorkflowConfigurations = z.output<typeof WorkflowConfigurations>;

function withoutNulls(settings: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null));
}
