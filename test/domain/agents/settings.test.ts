import { describe, expect, test } from '@jest/globals';
import { defaultSettings } from '../../../src/contract/data/default-settings.ts';
import { readAgentSettings, type AgentSettings } from '../../../src/domain/agents/settings.ts';

const defaults: AgentSettings = {
  ambientNoise: { isEnabled: false, volume: 0.3, storageKey: null },
  maxCallDurationMs: 300_000,
  maxUserIdleMs: 10_000,
  smartTurnStopMs: 2000,
  turnStartStrategy: 'default',
  turnStartMinWords: 3,
  provisionalPauseMs: 1500,
  turnStopStrategy: 'transcription',
  userTurnStopTimeoutMs: null,
  dictionary: '',
  compactsContext: false,
  textInactivityMs: 1_800_000,
  externalPbxFieldMappings: [],
  voicemailDetection: {
    isEnabled: false,
    leavesMessage: false,
    longSpeechMs: 8000,
    systemPrompt: '',
    ownLlm: null,
  },
  includesEndTimestamps: false,
  modelConfiguration: null,
  modelOverrides: { llm: null, tts: null, stt: null },
};
const voicemail = (part: Partial<AgentSettings['voicemailDetection']>) => ({
  voicemailDetection: { ...defaults.voicemailDetection, ...part },
});
const ambientNoise = (part: Partial<AgentSettings['ambientNoise']>) => ({
  ambientNoise: { ...defaults.ambientNoise, ...part },
});

/** A key of the wire, a value of it, and the fields that become different from the defaults. */
type Row = [key: string, value: unknown, changed: Partial<AgentSettings>];

const given: Row[] = [
  [
    'ambient_noise_configuration',
    { enabled: true, volume: 0.5, storage_key: 'ambient_noise/1/a.wav' },
    { ambientNoise: { isEnabled: true, volume: 0.5, storageKey: 'ambient_noise/1/a.wav' } },
  ],
  ['max_call_duration', 600, { maxCallDurationMs: 600_000 }],
  ['max_user_idle_timeout', 4.5, { maxUserIdleMs: 4500 }],
  ['smart_turn_stop_secs', 1.5, { smartTurnStopMs: 1500 }],
  ['turn_start_strategy', 'min_words', { turnStartStrategy: 'min_words' }],
  ['turn_start_strategy', 'provisional_vad', { turnStartStrategy: 'provisional_vad' }],
  ['turn_start_min_words', 5, { turnStartMinWords: 5 }],
  ['provisional_vad_pause_secs', 2.5, { provisionalPauseMs: 2500 }],
  ['turn_stop_strategy', 'turn_analyzer', { turnStopStrategy: 'turn_analyzer' }],
  ['user_turn_stop_timeout', 7, { userTurnStopTimeoutMs: 7000 }],
  ['dictionary', 'Parlance, Kubernetes', { dictionary: 'Parlance, Kubernetes' }],
  ['context_compaction_enabled', true, { compactsContext: true }],
  ['text_chat_inactivity_timeout_seconds', 60, { textInactivityMs: 60_000 }],
  [
    'external_pbx_field_mappings',
    [{ context_path: ' day ', destination_field: ' Field ' }],
    { externalPbxFieldMappings: [{ contextPath: 'day', destinationField: 'Field' }] },
  ],
  [
    'voicemail_detection',
    { enabled: true, leave_message: true, long_speech_timeout: 3, system_prompt: 'Which is it?' },
    voicemail({ isEnabled: true, leavesMessage: true, longSpeechMs: 3000, systemPrompt: 'Which is it?' }),
  ],
  [
    'voicemail_detection',
    { use_workflow_llm: false, api_key: 'k' },
    voicemail({ ownLlm: { use_workflow_llm: false, api_key: 'k' } }),
  ],
  ['transcript_configuration', { include_end_timestamps: true }, { includesEndTimestamps: true }],
  ['model_configuration_v2_override', { version: 2 }, { modelConfiguration: { version: 2 } }],
  [
    'model_overrides',
    { llm: { model: 'm' }, tts: { voice: 'v' }, stt: { language: 'de' } },
    { modelOverrides: { llm: { model: 'm' }, tts: { voice: 'v' }, stt: { language: 'de' } } },
  ],
];

const written: Row[] = [
  ['max_call_duration', '600', { maxCallDurationMs: 600_000 }],
  ['context_compaction_enabled', 'yes', { compactsContext: true }],
  ['voicemail_detection', { enabled: 'true' }, voicemail({ isEnabled: true })],
  ['transcript_configuration', { include_end_timestamps: 1 }, { includesEndTimestamps: true }],
  ['ambient_noise_configuration', { enabled: 'true', volume: '0.5' }, ambientNoise({ volume: 0.5 })],
  ['ambient_noise_configuration', { enabled: 1 }, {}],
];

const beyondLimits: Row[] = [
  ['ambient_noise_configuration', { volume: 7 }, ambientNoise({ volume: 1 })],
  ['ambient_noise_configuration', { volume: -7 }, ambientNoise({ volume: 0 })],
  ['max_call_duration', 99_999, { maxCallDurationMs: 1_200_000 }],
  ['max_call_duration', 0.5, { maxCallDurationMs: 1000 }],
  ['max_call_duration', 0, {}],
  ['max_user_idle_timeout', -3, { maxUserIdleMs: 0 }],
  ['smart_turn_stop_secs', -1, { smartTurnStopMs: 0 }],
  ['turn_start_min_words', 0, { turnStartMinWords: 1 }],
  ['turn_start_min_words', 1.5, { turnStartMinWords: 2 }],
  ['provisional_vad_pause_secs', 0.05, { provisionalPauseMs: 100 }],
  ['user_turn_stop_timeout', 0, {}],
  ['voicemail_detection', { long_speech_timeout: 0 }, {}],
];

const wrongItems: Row[] = [
  ['ambient_noise_configuration', { enabled: null, volume: [], storage_key: 5 }, {}],
  [
    'voicemail_detection',
    { enabled: 'maybe', leave_message: 2, long_speech_timeout: {}, system_prompt: 1, use_workflow_llm: 'x' },
    {},
  ],
  ['transcript_configuration', { include_end_timestamps: 'x' }, {}],
  ['model_overrides', { llm: 'x', tts: [], stt: null }, {}],
  [
    'external_pbx_field_mappings',
    ['x', null, { context_path: 1 }],
    { externalPbxFieldMappings: [{ contextPath: '', destinationField: '' }] },
  ],
];

const keys = [...new Set(given.map(([key]) => key))];
/** Keys of numbers for which a negative one is not of a wrong type but beyond the limits. */
const mayBeNegative = new Set([
  'max_user_idle_timeout',
  'smart_turn_stop_secs',
  'turn_start_min_words',
  'provisional_vad_pause_secs',
  'text_chat_inactivity_timeout_seconds',
]);
const wrong = keys.flatMap((key): [key: string, value: unknown][] => [
  ...[null, false, []].map((value): [string, unknown] => [key, value]),
  ...(key === 'dictionary' ? [] : [[key, 'wrong'] as [string, unknown]]),
  ...(key === 'model_configuration_v2_override' ? [] : [[key, {}] as [string, unknown]]),
  ...(mayBeNegative.has(key) ? [] : [[key, -1] as [string, unknown]]),
]);

describe('the settings of an agent (contract 3.1)', () => {
  test('are the defaults in an empty document and in the one that the interface shows', () => {
    expect(readAgentSettings({})).toEqual(defaults);
    expect(readAgentSettings(defaultSettings)).toEqual(defaults);
  });

  test('have every key of the defaults that the interface shows, except those that are only stored', () => {
    const stored = ['external_pbx_lead_headers'];
    expect(keys).toEqual(
      expect.arrayContaining(Object.keys(defaultSettings).filter((key) => !stored.includes(key))),
    );
  });

  test.each(given)('take %s %j as it is given', (key, value, changed) => {
    expect(readAgentSettings({ [key]: value })).toEqual({ ...defaults, ...changed });
  });

  test.each(written)('take %s %j as published clients write it', (key, value, changed) => {
    expect(readAgentSettings({ [key]: value })).toEqual({ ...defaults, ...changed });
  });

  test.each(beyondLimits)('keep %s %j within its limits', (key, value, changed) => {
    expect(readAgentSettings({ [key]: value })).toEqual({ ...defaults, ...changed });
  });

  test.each(wrong)('give the default for %s %j', (key, value) => {
    expect(readAgentSettings({ [key]: value })).toEqual(defaults);
  });

  test.each(wrongItems)('give the defaults inside %s %j', (key, value, changed) => {
    expect(readAgentSettings({ [key]: value })).toEqual({ ...defaults, ...changed });
  });

  test('ignore what a document inherits', () => {
    expect(readAgentSettings({ __proto__: { dictionary: 'inherited' } })).toEqual(defaults);
  });
});
