import { describe, expect, test } from '@jest/globals';
import { outboundCall } from '../../../src/domain/call/outbound-call.ts';

const source = {
  underneath: { tier: 'test value' },
  provider: 'telnyx',
  phoneNumber: '4915',
  configurationId: 2,
  fromNumberId: null,
  phoneNumberId: 6,
  given: { a: 1 },
};
const trigger = { isTest: false, path: 'p', agentUuid: 'u', apiKeyId: 3, apiKeyCreatedBy: 5 };

describe('the row of an outbound call before the dial (contract 5.1, 5.3, 5.5, 6.3)', () => {
  test.each([
    ['a production trigger', trigger, { name: 'WR-API-0007', source: 'api_prod', isTest: false }],
    [
      'a test trigger',
      { ...trigger, isTest: true },
      { name: 'WR-TEST-0007', source: 'api_test', isTest: true },
    ],
    ['initiate-call', null, { name: 'WR-TEL-OUT-00000007', source: 'editor', isTest: true }],
  ])('%s', (_title, by, expected) => {
    expect(outboundCall({ ...source, trigger: by }, () => 7)).toMatchObject({
      ...expected,
      mode: 'telnyx',
      channel: 'phone',
      direction: 'outbound',
      state: 'pending',
      configurationId: 2,
      phoneNumberId: 6,
      callerNumber: null,
      calledNumber: '4915',
      annotations: {},
    });
  });

  test('uses test values for initiate-call only, because triggers make real calls', () => {
    expect(outboundCall({ ...source, trigger: null }, () => 0).initialContext).toMatchObject({
      tier: 'test value',
      a: 1,
    });
    for (const isTest of [true, false])
      expect(
        outboundCall({ ...source, trigger: { ...trigger, isTest } }, () => 0).initialContext,
      ).not.toHaveProperty('tier');
  });
});
