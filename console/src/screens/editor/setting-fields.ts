import { defaultSettings, unlistedDefaults } from '../../../../src/contract/data/default-settings.ts';

/** A setting by its key, with dots for keys inside of it. Shown if another setting has a value. */
export type SettingField = { key: string; when?: readonly [key: string, value: unknown] } & (
  | { as: 'number'; unit?: boolean; min?: number; max?: number; initial: number }
  | { as: 'choice'; options: readonly string[] }
  | { as: 'switch'; initial?: boolean }
  | { as: 'text'; lines?: number }
  | { as: 'voice' | 'models' | 'lines' }
  | { as: 'rows'; cells: readonly string[] }
);

const voicemail = 'voicemail_detection';
const ifVoicemail = [`${voicemail}.enabled`, true] as const;
const ifOwnModel = [`${voicemail}.use_workflow_llm`, false] as const;

/** The settings of an agent as the contract has them (contract 3.1), in groups. */
export const settingGroups: readonly { id: string; fields: readonly SettingField[] }[] = [
  {
    id: 'turns',
    fields: [
      { key: 'turn_start_strategy', as: 'choice', options: ['default', 'min_words', 'provisional_vad'] },
      {
        key: 'turn_start_min_words',
        as: 'number',
        min: 1,
        initial: defaultSettings.turn_start_min_words,
        when: ['turn_start_strategy', 'min_words'],
      },
      {
        key: 'provisional_vad_pause_secs',
        as: 'number',
        unit: true,
        min: 0.1,
        initial: defaultSettings.provisional_vad_pause_secs,
        when: ['turn_start_strategy', 'provisional_vad'],
      },
      { key: 'turn_stop_strategy', as: 'choice', options: ['transcription', 'turn_analyzer'] },
      {
        key: 'smart_turn_stop_secs',
        as: 'number',
        unit: true,
        min: 0.1,
        initial: defaultSettings.smart_turn_stop_secs,
        when: ['turn_stop_strategy', 'turn_analyzer'],
      },
      {
        key: 'user_turn_stop_timeout',
        as: 'number',
        unit: true,
        min: 0.5,
        initial: unlistedDefaults.user_turn_stop_timeout.usual,
      },
    ],
  },
  {
    id: 'limits',
    fields: [
      {
        key: 'max_call_duration',
        as: 'number',
        unit: true,
        min: 1,
        max: 1200,
        initial: defaultSettings.max_call_duration,
      },
      {
        key: 'max_user_idle_timeout',
        as: 'number',
        unit: true,
        min: 0,
        initial: defaultSettings.max_user_idle_timeout,
      },
      {
        key: 'text_chat_inactivity_timeout_seconds',
        as: 'number',
        unit: true,
        min: 60,
        max: 10_500,
        initial: defaultSettings.text_chat_inactivity_timeout_seconds,
      },
    ],
  },
  {
    id: 'voicemail',
    fields: [
      { key: `${voicemail}.enabled`, as: 'switch' },
      { key: `${voicemail}.leave_message`, as: 'switch', when: ifVoicemail },
      {
        key: `${voicemail}.long_speech_timeout`,
        as: 'number',
        unit: true,
        min: 1,
        initial: unlistedDefaults.voicemail_detection.long_speech_timeout,
        when: ifVoicemail,
      },
      { key: `${voicemail}.system_prompt`, as: 'text', lines: 4, when: ifVoicemail },
      {
        key: `${voicemail}.use_workflow_llm`,
        as: 'switch',
        initial: unlistedDefaults.voicemail_detection.use_workflow_llm,
        when: ifVoicemail,
      },
      { key: `${voicemail}.model`, as: 'text', when: ifOwnModel },
      { key: `${voicemail}.api_key`, as: 'text', when: ifOwnModel },
    ],
  },
  {
    id: 'models',
    fields: [
      { key: 'model_overrides.tts.voice', as: 'voice' },
      { key: 'model_overrides.tts.language', as: 'text' },
      { key: 'model_overrides.tts.speed', as: 'number', min: 0.25, max: 2, initial: 1 },
      { key: 'model_overrides.stt.language', as: 'text' },
      { key: 'model_overrides.llm.model', as: 'text' },
      { key: 'model_configuration_v2_override', as: 'models' },
    ],
  },
  {
    id: 'understanding',
    fields: [
      { key: 'dictionary', as: 'text' },
      { key: 'context_compaction_enabled', as: 'switch' },
      { key: 'transcript_configuration.include_end_timestamps', as: 'switch' },
    ],
  },
  {
    id: 'pbx',
    fields: [
      { key: 'external_pbx_field_mappings', as: 'rows', cells: ['context_path', 'destination_field'] },
      { key: 'external_pbx_lead_headers', as: 'lines' },
    ],
  },
];

export const settingFields: readonly SettingField[] = settingGroups.flatMap(({ fields }) => fields);
