import { describe, expect, test } from '@jest/globals';
import {
  chooseConfiguration,
  type ChoosableConfiguration,
} from '../../../src/domain/telephony/choose-configuration.ts';

const ready = (id: number, changes: Partial<ChoosableConfiguration> = {}): ChoosableConfiguration => ({
  id,
  name: `line ${id}`,
  provider: 'telnyx',
  isDefaultOutbound: false,
  isInactive: false,
  activeNumbers: 1,
  credentials: { api_key: 'k', connection_id: '1', webhook_public_key: 'p' },
  ...changes,
});
const choose = (configurations: ChoosableConfiguration[], id: number | null = null) => {
  const choice = chooseConfiguration(configurations, { id, canDial: (provider) => provider === 'telnyx' });
  return choice.kind === 'ready' ? choice.configuration.id : choice;
};
const blocked = (name: string, reason: string) => ({ kind: 'not_ready', name, reason });

describe('the connection of a call (contract 5.1, 5.2)', () => {
  test.each<[string, ChoosableConfiguration[], number | null, unknown]>([
    ['is none if the organization has none', [], null, { kind: 'none' }],
    ['is the default one', [ready(1), ready(2, { isDefaultOutbound: true })], null, 2],
    [
      'is the first ready one if there is no default',
      [ready(1, { activeNumbers: 0 }), ready(2), ready(3)],
      null,
      2,
    ],
    [
      'is the default one even if it is not ready',
      [ready(1), ready(2, { isDefaultOutbound: true, activeNumbers: 0 })],
      null,
      blocked('line 2', 'it has no active phone number'),
    ],
    [
      'is the first one if none is ready and there is no default',
      [ready(1, { isInactive: true }), ready(2, { activeNumbers: 0 })],
      null,
      blocked('line 1', 'it is switched off'),
    ],
    ['is the requested one', [ready(1, { isDefaultOutbound: true }), ready(2)], 2, 2],
    [
      'is the requested one even if it is not ready',
      [ready(1), ready(2, { provider: 'twilio' })],
      2,
      blocked('line 2', 'this installation cannot dial with twilio'),
    ],
    [
      "is not ready without the key that verifies the carrier's events",
      [ready(1, { credentials: { api_key: 'k', connection_id: '1', webhook_public_key: null } })],
      null,
      blocked('line 1', "the public key for the carrier's events is missing"),
    ],
    [
      'is not ready without an application at the carrier',
      [ready(1, { credentials: { api_key: 'k', connection_id: null, webhook_public_key: 'p' } })],
      null,
      blocked('line 1', 'it has no Call Control application'),
    ],
    [
      'is not ready without credentials',
      [ready(1, { credentials: {} })],
      null,
      blocked('line 1', 'its credentials are not complete'),
    ],
    ['is unknown if the organization lacks the requested one', [ready(1)], 9, { kind: 'unknown' }],
    ['is unknown if one is requested and the organization has none', [], 9, { kind: 'unknown' }],
  ])('%s', (_title, configurations, id, expected) => {
    expect(choose(configurations, id)).toEqual(expected);
  });
});
