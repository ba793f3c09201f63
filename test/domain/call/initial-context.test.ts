import { describe, expect, test } from '@jest/globals';
import {
  outboundContext,
  testContext,
  withCallerNumber,
  type OutboundContext,
} from '../../../src/domain/call/initial-context.ts';
import { mergeFetched } from '../../../src/domain/call/pre-call-fetch.ts';

const byPath = { isTest: false, path: 'order-desk', agentUuid: 'a-uuid', apiKeyId: 3, apiKeyCreatedBy: 5 };
const asked: OutboundContext = {
  underneath: {},
  provider: 'telnyx',
  phoneNumber: '49 151 1',
  configurationId: 2,
  fromNumberId: null,
  trigger: byPath,
  given: {},
};
const context = (changes: Partial<OutboundContext> = {}) => outboundContext({ ...asked, ...changes });

describe('the initial context of an outbound call (contract 5.3)', () => {
  test('has every service key for a trigger path, in the order of the contract', () => {
    expect(Object.entries(context({ fromNumberId: 4 }))).toEqual([
      ['provider', 'telnyx'],
      ['direction', 'outbound'],
      ['phone_number', '49 151 1'],
      ['trigger_mode', 'production'],
      ['telephony_configuration_id', 2],
      ['agent_identifier', 'order-desk'],
      ['agent_identifier_type', 'trigger_path'],
      ['workflow_uuid', 'a-uuid'],
      ['from_phone_number_id', 4],
      ['agent_uuid', 'order-desk'],
      ['api_key_id', 3],
      ['api_key_created_by', 5],
      ['called_number', '49 151 1'],
    ]);
  });

  test.each<[string, Partial<OutboundContext>, Record<string, unknown>]>([
    [
      "by the agent's uuid there is no trigger path",
      { trigger: { ...byPath, path: null, isTest: true } },
      {
        trigger_mode: 'test',
        agent_identifier: 'a-uuid',
        agent_identifier_type: 'workflow_uuid',
        agent_uuid: undefined,
      },
    ],
    ['omits a number that the service chose', {}, { from_phone_number_id: undefined }],
    [
      'has no trigger and no API key for initiate-call',
      { trigger: null },
      {
        trigger_mode: undefined,
        agent_identifier: undefined,
        workflow_uuid: undefined,
        api_key_id: undefined,
        direction: 'outbound',
        provider: 'telnyx',
      },
    ],
    [
      'lets the request replace service keys that are not protected',
      { given: { trigger_mode: 'x', agent_identifier: 1, phone_number: 'mine' } },
      { trigger_mode: 'x', agent_identifier: 1, phone_number: 'mine' },
    ],
    [
      'keeps the dialed number',
      { given: { called_number: '1', phone_number: '2' } },
      { called_number: '49 151 1', phone_number: '2' },
    ],
    [
      "the request's own values are kept as they are",
      { given: { customer: { name: null }, list: [1] } },
      { customer: { name: null }, list: [1] },
    ],
    [
      'lets everything else replace the values underneath',
      { underneath: { a: 1, b: 1, phone_number: 'x', called_number: 'y' }, given: { b: 2 } },
      { a: 1, b: 2, phone_number: '49 151 1', called_number: '49 151 1' },
    ],
  ])('%s', (_title, changes, expected) => {
    const made = context(changes);
    expect(Object.fromEntries(Object.keys(expected).map((key) => [key, made[key]]))).toEqual(expected);
  });

  test.each([
    'provider',
    'runtime_configuration',
    'mps_correlation_id',
    'direction',
    'telephony_configuration_id',
    'from_phone_number_id',
    'caller_number',
    'called_number',
    'workflow_uuid',
    'agent_uuid',
    'api_key_id',
    'api_key_created_by',
  ])('lets only the service write %s', (key) => {
    for (const theirs of ['theirs', 7, null]) {
      const given = { [key]: theirs };
      for (const service of [{}, { fromNumberId: 4 }, { trigger: null }]) {
        expect(context({ ...service, given })).toEqual(context(service));
        expect(context({ ...service, underneath: given })).toEqual(context(service));
      }
      expect(mergeFetched(context({ fromNumberId: 4 }), given)).toEqual(context({ fromNumberId: 4 }));
    }
  });

  test('treats __proto__ like any other key', () => {
    const made = context({ given: Object.fromEntries([['__proto__', { direction: 'sideways' }]]) });
    expect(Object.hasOwn(made, '__proto__')).toBe(true);
    expect(made['direction']).toBe('outbound');
  });

  test('gets the caller number after the dial, whatever the request says', () => {
    expect(withCallerNumber({ caller_number: 'theirs', a: 1 }, '+15551230001')).toEqual({
      a: 1,
      caller_number: '+15551230001',
    });
  });
});

describe('the initial context of a test conversation (contract 5.3, 6.10)', () => {
  test('merges the request over the test values, without keys that only the service writes', () => {
    expect(
      testContext(
        { a: 1, b: 1, direction: 'outbound' },
        { b: 2, provider: 'x', runtime_configuration: {}, mps_correlation_id: 'y' },
      ),
    ).toEqual({ a: 1, b: 2, direction: 'outbound' });
  });
});
