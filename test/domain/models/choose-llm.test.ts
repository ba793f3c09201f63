import { describe, expect, test } from '@jest/globals';
import { readAgentSettings } from '../../../src/domain/agents/settings.ts';
import { chooseLlm } from '../../../src/domain/models/choose-llm.ts';
import { llmFault, readLlm } from '../../../src/domain/models/llm-settings.ts';

const configuration = (llm: unknown) => ({
  version: 2,
  mode: 'byok',
  byok: { mode: 'pipeline', pipeline: { llm } },
});
const organization = configuration({
  provider: 'openai',
  model: 'gpt-4.1',
  api_key: 'org-key',
  base_url: 'https://llm.example.com/v1',
});
const choose = (
  agentSettings: Record<string, unknown>,
  org: Record<string, unknown> | null = organization,
) => {
  const chosen = chooseLlm({ agentSettings: readAgentSettings(agentSettings), organization: org });
  return chosen === null ? null : { level: chosen.level, ...readLlm(chosen.llm) };
};
const whole = {
  model_configuration_v2_override: configuration({ provider: 'groq', model: 'llama', api_key: 'agent-key' }),
};
const fields = (llm: Record<string, unknown>) => ({ model_overrides: { llm } });

describe('the language model of a call', () => {
  test("is the agent's own configuration, else its overrides, else the organization's, else none", () => {
    expect(choose({ ...whole, ...fields({ model: 'gpt-4.1-mini' }) })).toMatchObject({
      level: 'agent_configuration',
      provider: 'groq',
      model: 'llama',
      apiKey: 'agent-key',
    });
    expect(choose(fields({ model: 'gpt-4.1-mini' }))).toMatchObject({
      level: 'agent_override',
      model: 'gpt-4.1-mini',
      apiKey: 'org-key',
      endpoint: 'https://llm.example.com/v1',
    });
    expect(choose({})).toMatchObject({ level: 'organization', model: 'gpt-4.1', apiKey: 'org-key' });
    expect(choose({}, null)).toBeNull();
  });

  test('is not chosen by an empty override', () => {
    expect(
      choose({ model_overrides: { llm: { provider: null, model: '' }, tts: { provider: 'x' } } }),
    ).toMatchObject({ level: 'organization' });
    expect(choose({ model_overrides: null, model_configuration_v2_override: 'x' })).toMatchObject({
      level: 'organization',
    });
  });

  test('never gets the key of the level below when an override changes vendor or address', () => {
    expect(choose(fields({ provider: 'groq', model: 'llama' }))).toMatchObject({
      provider: 'groq',
      apiKey: '',
      endpoint: null,
    });
    expect(choose(fields({ base_url: 'https://thief.example.com/v1' }))).toMatchObject({
      model: 'gpt-4.1',
      apiKey: '',
      endpoint: 'https://thief.example.com/v1',
    });
    expect(choose(fields({ base_url: 'https://llm.example.com/v1', model: 'x' }))).toMatchObject({
      model: 'x',
      apiKey: 'org-key',
    });
    expect(choose(fields({ model: 'gpt-4.1' }), null)).toMatchObject({ apiKey: '' });
  });

  test('never uses an address that the vendor does not support', () => {
    expect(
      readLlm({ provider: 'groq', model: 'm', api_key: 'k', base_url: 'https://elsewhere.example.com' }),
    ).toMatchObject({ endpoint: null });
  });
});

describe('settings that cannot be used', () => {
  const settings = { provider: 'openai', model: 'm', api_key: 'k' };
  test.each([
    [{ ...settings, provider: 'polly' }, 'provider', "the provider 'polly' is not supported"],
    [{ ...settings, model: ' ' }, 'model', 'no model is named'],
    [{ ...settings, api_key: null }, 'api_key', 'there is no API key'],
    [{ ...settings, provider: 'azure' }, 'endpoint', 'azure needs an address'],
    [
      { ...settings, provider: 'openai_compatible', base_url: 'localhost:8080' },
      'base_url',
      'the address is not a URL',
    ],
  ])('%j report the invalid field', (llm, field, message) => {
    expect(llmFault(readLlm(llm))).toEqual({ field, message });
  });

  test('are distinguished from usable ones', () => {
    expect(llmFault(readLlm({ model: 'm', api_key: 'k' }))).toBeNull();
    expect(
      llmFault(readLlm({ ...settings, provider: 'azure', endpoint: 'https://me.openai.azure.com/' })),
    ).toBeNull();
  });
});
