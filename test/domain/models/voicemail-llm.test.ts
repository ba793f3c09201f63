import { describe, expect, test } from '@jest/globals';
import { readAgentSettings } from '../../../src/domain/agents/settings.ts';
import { voicemailLlm } from '../../../src/domain/models/voicemail-llm.ts';

function brought(voicemail: Record<string, unknown>) {
  const stored = { voicemail_detection: { enabled: true, ...voicemail } };
  const { ownLlm } = readAgentSettings(stored).voicemailDetection;
  return ownLlm === null ? null : voicemailLlm(ownLlm);
}

describe('the model of voicemail_detection (contract 3.1)', () => {
  test.each([
    [{}],
    [{ use_workflow_llm: true, api_key: 'k' }],
    [{ use_workflow_llm: 'true' }],
    [{ use_workflow_llm: null, model: 'm' }],
  ])("%j means the agent's own model", (voicemail) => {
    expect(brought(voicemail)).toBeNull();
  });

  test.each([
    [{ api_key: 'k' }, { provider: 'openai', model: 'gpt-4.1', apiKey: 'k' }],
    [
      { provider: 'openai', model: 'gpt-4o', api_key: 'k' },
      { provider: 'openai', model: 'gpt-4o', apiKey: 'k' },
    ],
    [
      { provider: 'groq', api_key: 'k' },
      { provider: 'groq', model: '', apiKey: 'k' },
    ],
  ])('%j means a separate model', (voicemail, expected) => {
    expect(brought({ use_workflow_llm: false, ...voicemail })).toMatchObject(expected);
    expect(brought({ use_workflow_llm: 'false', ...voicemail })).toMatchObject(expected);
  });
});
