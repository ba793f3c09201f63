import { describe, expect, test } from '@jest/globals';
import { isSampled, skipReason } from '../../../src/domain/qa/decide.ts';
import { judgingNodes, ownModelFault, type QaNode } from '../../../src/domain/qa/node.ts';
import { node } from '../../support/definitions.ts';

const read = (data: Record<string, unknown>): QaNode | undefined =>
  judgingNodes({ nodes: [node('qa', 'qa', { name: 'Quality', ...data })] })[0];
const qaNode = (data: Record<string, unknown> = {}): QaNode => {
  const found = read(data);
  if (found === undefined) throw new Error('the node does not judge');
  return found;
};
const call = { uuid: '2f1c4c1e-6c0b-4f0e-9a52-1a9a0f4f5f6d', durationSec: 60, disposition: 'user_hangup' };

describe('a QA node (contract 2.3)', () => {
  test('has these defaults', () => {
    expect(qaNode()).toEqual({
      id: 'qa',
      name: 'Quality',
      enabled: true,
      systemPrompt: null,
      minCallDurationSec: 15,
      judgesVoicemail: false,
      samplePercent: 100,
      ownModel: null,
    });
  });

  test('reads numbers and booleans as published clients write them', () => {
    expect(
      qaNode({
        qa_min_call_duration: '0',
        qa_voicemail_calls: 'yes',
        qa_sample_rate: '20',
        qa_system_prompt: ' Be strict. ',
      }),
    ).toMatchObject({
      minCallDurationSec: 0,
      judgesVoicemail: true,
      samplePercent: 20,
      systemPrompt: 'Be strict.',
    });
  });

  test('judges only when it is enabled, and other nodes never do', () => {
    expect(read({ qa_enabled: 'off' })).toBeUndefined();
    expect(
      judgingNodes({ nodes: [node('a', 'agentNode', { qa_enabled: true }), { type: 'qa', data: {} }, 7] }),
    ).toEqual([]);
  });

  test.each([
    [
      'openai by default',
      { qa_api_key: 'k' },
      { provider: 'openai', model: 'gpt-4.1', apiKey: 'k', endpoint: null },
      null,
    ],
    [
      'a named one',
      { qa_provider: 'anthropic', qa_model: 'claude', qa_api_key: 'k' },
      { provider: 'anthropic', model: 'claude', apiKey: 'k', endpoint: null },
      null,
    ],
    [
      'no key',
      { qa_provider: 'openrouter', qa_model: 'm', qa_api_key: ' ' },
      { provider: 'openrouter', model: 'm', apiKey: null, endpoint: null },
      'The QA node has no API key',
    ],
    [
      'no model',
      { qa_provider: 'anthropic', qa_model: 'default', qa_api_key: 'k' },
      { provider: 'anthropic', model: null, apiKey: 'k', endpoint: null },
      'The QA node names no model',
    ],
    [
      'azure without an endpoint',
      { qa_provider: 'azure', qa_model: 'm', qa_api_key: 'k' },
      { provider: 'azure', model: 'm', apiKey: 'k', endpoint: null },
      'The QA node has no valid endpoint',
    ],
    [
      'azure with an invalid endpoint',
      { qa_provider: 'azure', qa_model: 'm', qa_api_key: 'k', qa_endpoint: 'my resource' },
      { provider: 'azure', model: 'm', apiKey: 'k', endpoint: 'my resource' },
      'The QA node has no valid endpoint',
    ],
    [
      'azure',
      { qa_provider: 'azure', qa_model: 'm', qa_api_key: 'k', qa_endpoint: 'https://me.openai.azure.com' },
      { provider: 'azure', model: 'm', apiKey: 'k', endpoint: 'https://me.openai.azure.com' },
      null,
    ],
  ])('has its own model when the settings say so: %s', (_row, data, expected, fault) => {
    const { ownModel } = qaNode({ qa_use_workflow_llm: false, ...data });
    expect(ownModel).toEqual(expected);
    expect(ownModel === null ? undefined : ownModelFault(ownModel)).toBe(fault);
  });
});

describe('a call is not judged (contract 9.5)', () => {
  test.each([
    [
      'when it is shorter than the minimum duration of the node',
      {},
      { durationSec: 14.96 },
      'call duration (15.0s) below minimum (15s)',
    ],
    ['but is when it has exactly the minimum duration', {}, { durationSec: 15 }, null],
    [
      'when a voicemail answered',
      {},
      { disposition: 'voicemail_detected' },
      'voicemail calls are not judged',
    ],
    [
      'but is when the node judges voicemail',
      { qa_voicemail_calls: true },
      { disposition: 'voicemail_detected' },
      null,
    ],
    [
      'with its duration as the first of two reasons',
      {},
      { durationSec: 0, disposition: 'voicemail_detected' },
      'call duration (0.0s) below minimum (15s)',
    ],
  ])('%s', (_row, data, change, expected) => {
    expect(skipReason(qaNode(data), { ...call, ...change })).toBe(expected);
  });

  test('when it is not in the sample, whose size is part of the reason', () => {
    const left =
      Array.from({ length: 100 }, (_, index) => `call-${index}`).find(
        (callUuid) => !isSampled({ callUuid, nodeId: 'qa', percent: 1 }),
      ) ?? '';
    expect(skipReason(qaNode({ qa_sample_rate: 1 }), { ...call, uuid: left })).toBe(
      'excluded by sampling (1% of calls)',
    );
  });
});

describe('sampling', () => {
  const uuids = Array.from(
    { length: 5000 },
    (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  );
  const sampled = (percent: number, nodeId = 'qa') =>
    uuids.filter((callUuid) => isSampled({ callUuid, nodeId, percent }));

  test('includes about the percentage of calls, all of them at 100, and always decides the same', () => {
    for (const percent of [1, 20, 50, 90])
      expect(Math.abs(sampled(percent).length / uuids.length - percent / 100)).toBeLessThan(0.02);
    expect(sampled(100)).toHaveLength(uuids.length);
    expect(sampled(20)).toEqual(sampled(20));
  });

  test('includes the calls of a smaller percentage, and differs between nodes', () => {
    const larger = new Set(sampled(50));
    expect(sampled(20).every((each) => larger.has(each))).toBe(true);
    const both = sampled(50, 'other').filter((each) => larger.has(each)).length;
    expect(Math.abs(both / uuids.length - 0.25)).toBeLessThan(0.03);
  });
});
