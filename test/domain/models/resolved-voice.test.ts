import { describe, expect, test } from '@jest/globals';
import { readAgentSettings } from '../../../src/domain/agents/settings.ts';
import { chooseVoice } from '../../../src/domain/models/choose-voice.ts';
import { resolvedStt, resolvedTts, type InstalledVoice } from '../../../src/domain/models/resolved-voice.ts';
import { voiceFault } from '../../../src/domain/models/voice-settings.ts';

const installed: InstalledVoice = {
  tts: {
    shownAs: 'google',
    provider: 'google',
    model: 'chirp_3_hd',
    voice: null,
    language: 'de-DE',
    speakingRate: 1.1,
  },
  stt: { shownAs: 'simulated', provider: 'telnyx', model: 'nova-3', language: null },
};
const llm = { provider: 'openai', model: 'm', api_key: 'k' };
const configuration = (parts: Record<string, unknown>) => ({
  version: 2,
  mode: 'byok',
  byok: { mode: 'pipeline', pipeline: { llm, ...parts } },
});
const organization = configuration({
  tts: { provider: 'google', voice: 'Puck', credentials: '{"client_email":"a","private_key":"org-key"}' },
  stt: { provider: 'openai', api_key: 'org-stt', language: 'fr-FR' },
});

const tts = (agentSettings: Record<string, unknown>, org: Record<string, unknown> | null = organization) =>
  resolvedTts(
    chooseVoice({ service: 'tts', agentSettings: readAgentSettings(agentSettings), organization: org }),
    installed.tts,
  );
const stt = (agentSettings: Record<string, unknown>, org: Record<string, unknown> | null = organization) =>
  resolvedStt(
    chooseVoice({ service: 'stt', agentSettings: readAgentSettings(agentSettings), organization: org }),
    installed.stt,
  );
const fields = (parts: Record<string, unknown>) => ({ model_overrides: parts });

describe('the voice of a call', () => {
  test("is the installation's when none is chosen", () => {
    expect(tts({}, null)).toEqual({
      level: 'installation',
      shownAs: 'google',
      provider: 'google',
      model: 'chirp_3_hd',
      voice: 'de-DE-Chirp3-HD-Kore',
      language: 'de-DE',
      speakingRate: 1.1,
      key: null,
      fault: null,
    });
    expect(stt({}, null)).toEqual({
      level: 'installation',
      shownAs: 'simulated',
      provider: 'telnyx',
      model: 'nova-3',
      language: 'en-US',
      key: null,
      fault: null,
    });
  });

  test("is the agent's whole configuration, else its overrides, else the organization's", () => {
    const whole = {
      model_configuration_v2_override: configuration({
        tts: { provider: 'openai', model: 'tts-1', voice: 'nova', api_key: 'agent-key' },
      }),
    };
    expect(tts({ ...whole, ...fields({ tts: { voice: 'Leda' } }) })).toMatchObject({
      level: 'agent_configuration',
      provider: 'openai',
      model: 'tts-1',
      voice: 'nova',
      key: { kind: 'api_key', value: 'agent-key' },
    });
    expect(tts(fields({ tts: { voice: 'Leda', language: 'en-GB', speed: 0.9 } }))).toMatchObject({
      level: 'agent_override',
      voice: 'en-GB-Chirp3-HD-Leda',
      speakingRate: 0.9,
      key: { kind: 'credentials', value: expect.stringContaining('org-key') },
    });
    expect(tts({})).toMatchObject({ level: 'organization', voice: 'de-DE-Chirp3-HD-Puck' });
    expect(stt({})).toMatchObject({
      level: 'organization',
      provider: 'openai',
      model: 'gpt-live-transcribe',
      language: 'fr-FR',
      key: 'org-stt',
      shownAs: 'openai',
    });
  });

  test("is the installation's, not the organization's, when the agent's whole configuration has none", () => {
    const whole = { model_configuration_v2_override: configuration({ tts: null }) };
    expect(tts(whole)).toMatchObject({ level: 'installation', key: null });
    expect(stt(whole)).toMatchObject({ level: 'installation', key: null });
  });

  test("uses the installation's vendor and model without a key of the customer, with the customer's other settings", () => {
    expect(tts(fields({ tts: { voice: 'Zephyr', language: 'en-US' } }), null)).toMatchObject({
      level: 'agent_override',
      provider: 'google',
      model: 'chirp_3_hd',
      voice: 'en-US-Chirp3-HD-Zephyr',
      key: null,
      fault: null,
    });
    expect(stt(fields({ stt: { model: 'nova-2', language: 'es-ES' } }), null)).toMatchObject({
      level: 'agent_override',
      model: 'nova-3',
      language: 'es-ES',
      key: null,
      shownAs: 'simulated',
    });
  });

  test('never gets the key of the level below when an override changes the vendor', () => {
    expect(tts(fields({ tts: { provider: 'openai', voice: 'nova' } }))).toMatchObject({
      level: 'installation',
      provider: 'google',
      key: null,
      fault: 'there is no key for the provider',
    });
    expect(stt(fields({ stt: { provider: 'telnyx' } }))).toMatchObject({ provider: 'telnyx', key: null });
  });

  test("is the installation's when the settings cannot be used, with the fault but none of their values", () => {
    expect(tts({}, configuration({ tts: { provider: 'elevenlabs', api_key: 'sk-x' } }))).toMatchObject({
      level: 'installation',
      fault: 'the provider is not supported',
    });
    expect(stt({}, configuration({ stt: { provider: 'deepgram', api_key: 'sk-x' } }))).toMatchObject({
      level: 'installation',
      fault: 'the provider is not supported',
      key: null,
    });
  });

  test("may have Google's full name", () => {
    expect(tts(fields({ tts: { voice: 'en-AU-Chirp3-HD-Aoede' } }), null)).toMatchObject({
      voice: 'en-AU-Chirp3-HD-Aoede',
      language: 'en-AU',
    });
  });

  test("is shown as simulated when the customer's vendor is simulated", () => {
    expect(stt({}, configuration({ stt: { provider: 'telnyx', api_key: 'simulated-1' } }))).toMatchObject({
      provider: 'telnyx',
      shownAs: 'simulated',
    });
  });
});

describe('settings that cannot be used', () => {
  test.each([
    ['tts', { provider: 'elevenlabs' }, 'provider'],
    ['tts', { provider: 'google', model: 'wavenet' }, 'model'],
    ['tts', { provider: 'google', voice: 'alloy' }, 'voice'],
    ['tts', { provider: 'google', speed: 2.5 }, 'speed'],
    ['tts', { provider: 'google', speed: 'fast' }, 'speed'],
    ['tts', { provider: 'openai', language: 'English, please' }, 'language'],
    ['tts', { provider: 'openai', voice: 7 }, 'voice'],
    ['tts', { provider: 'google', credentials: 'not json' }, 'credentials'],
    ['tts', { provider: 'google', credentials: { private_key: 'in clear' } }, 'credentials'],
    ['stt', { provider: 'google' }, 'provider'],
    ['stt', { provider: 'telnyx', model: 'flux' }, 'model'],
    ['stt', { provider: 'openai', model: 'gpt-realtime-whisper' }, 'model'],
  ] as const)('of %s, %j, report the invalid field', (service, settings, field) => {
    expect(voiceFault(service, settings)).toMatchObject({ field });
  });

  test.each([
    [
      'tts',
      {
        provider: 'google',
        model: 'chirp_3_hd',
        voice: 'Kore',
        language: 'cmn-CN',
        speed: 0.25,
        credentials: '{"client_email":"a","private_key":"b"}',
      },
    ],
    [
      'tts',
      { provider: 'openai', model: 'some-later-model', voice: 'some-later-voice', speed: 4, api_key: 'k' },
    ],
    ['stt', { provider: 'telnyx', model: 'nova-2', language: 'en' }],
    ['stt', { provider: 'openai', model: 'gpt-transcribe', api_key: 'k' }],
  ] as const)('are distinguished from usable ones of %s: %j', (service, settings) => {
    expect(voiceFault(service, settings)).toBeNull();
  });
});
