import { describe, expect, test } from '@jest/globals';
import { defaultSettings } from '../../../src/contract/data/default-settings.ts';
import { readAgentSettings } from '../../../src/domain/agents/settings.ts';
import { readTurnSettings, type TurnCircumstances } from '../../../src/domain/turn-taking/settings.ts';

const circumstances: TurnCircumstances = {
  language: 'en-US',
  channel: { kind: 'phone', direction: 'outbound' },
  recognizer: { p99FinalMs: 350, hasInterims: true, marksTurns: false },
};
const read = (settings: Record<string, unknown>, others: Partial<TurnCircumstances> = {}) =>
  readTurnSettings(readAgentSettings(settings), { ...circumstances, ...others });

describe('the settings of turn taking (contract 3.1)', () => {
  test('without values are the defaults of the contract', () => {
    const usual = {
      startStrategy: 'default',
      minWords: 3,
      provisionalPauseMs: 1500,
      stopStrategy: 'transcription',
      smartTurnStopMs: 2000,
      userTurnStopTimeoutMs: 5000,
      idleMs: 10_000,
      maxDurationMs: 300_000,
      closingLeadMs: 10_000,
      voicemail: null,
    };
    expect(read({})).toMatchObject(usual);
    expect(read(defaultSettings)).toMatchObject(usual);
  });
  test.each<[field: string, value: unknown, read: object]>([
    ['turn_start_strategy', 'min_words', { startStrategy: 'min_words' }],
    ['turn_start_strategy', 'shouting', { startStrategy: 'default' }],
    ['turn_start_min_words', 5, { minWords: 5 }],
    ['turn_start_min_words', 0, { minWords: 1 }],
    ['provisional_vad_pause_secs', 0.05, { provisionalPauseMs: 100 }],
    ['provisional_vad_pause_secs', 2.5, { provisionalPauseMs: 2500 }],
    ['turn_stop_strategy', 'turn_analyzer', { stopStrategy: 'turn_analyzer' }],
    ['turn_stop_strategy', null, { stopStrategy: 'transcription' }],
    ['smart_turn_stop_secs', '1.5', { smartTurnStopMs: 1500 }],
    ['smart_turn_stop_secs', -1, { smartTurnStopMs: 0 }],
    ['user_turn_stop_timeout', 7, { userTurnStopTimeoutMs: 7000 }],
    ['user_turn_stop_timeout', '7', { userTurnStopTimeoutMs: 7000 }],
    ['user_turn_stop_timeout', 0, { userTurnStopTimeoutMs: 5000 }],
    ['max_user_idle_timeout', -3, { idleMs: 0 }],
    ['max_user_idle_timeout', 4.5, { idleMs: 4500 }],
    ['max_user_idle_timeout', {}, { idleMs: 10_000 }],
    ['max_call_duration', '600', { maxDurationMs: 600_000 }],
    ['max_call_duration', 99_999, { maxDurationMs: 1_200_000 }],
    ['max_call_duration', -1, { maxDurationMs: 300_000 }],
    ['max_call_duration', 6, { maxDurationMs: 6000, closingLeadMs: 3000 }],
    ['voicemail_detection', { enabled: true }, { voicemail: { longSpeechMs: 8000 } }],
    [
      'voicemail_detection',
      { enabled: 'true', long_speech_timeout: '3' },
      { voicemail: { longSpeechMs: 3000 } },
    ],
    ['voicemail_detection', { enabled: true, long_speech_timeout: 0 }, { voicemail: { longSpeechMs: 8000 } }],
    ['voicemail_detection', { enabled: false }, { voicemail: null }],
    ['voicemail_detection', 'yes', { voicemail: null }],
  ])('%s %j', (field, value, expected) => {
    expect(read({ [field]: value })).toMatchObject(expected);
  });
  test('enable voicemail detection only at the beginning of outbound phone calls', () => {
    const on = { voicemail_detection: { enabled: true } };
    expect(
      [
        read(on, { channel: { kind: 'phone', direction: 'inbound' } }),
        read(on, { channel: { kind: 'web', direction: 'outbound' } }),
        read(on, { usedMs: 5000 }),
      ].map(({ voicemail }) => voicemail),
    ).toEqual([null, null, null]);
  });
  test('give a recognizer that marks turns 30 s and the default start', () => {
    const recognizer = { p99FinalMs: 350, hasInterims: true, marksTurns: true };
    expect(read({ turn_start_strategy: 'min_words' }, { recognizer })).toMatchObject({
      startStrategy: 'default',
      userTurnStopTimeoutMs: 30_000,
    });
    expect(read({ user_turn_stop_timeout: 4 }, { recognizer })).toMatchObject({
      userTurnStopTimeoutMs: 4000,
    });
  });
});
