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
    ['without any there is none', [], null, { kind: 'none' }],
    ['the default one', [ready(1), ready(2, { isDefaultOutbound: true })], null, 2],
    [
      'without a default, the first that is ready',
      [ready(1, { activeNumbers: 0 }), ready(2), ready(3)],
      null,
      2,
    ],
    [
      'a default that is not ready is not passed over',
      [ready(1), ready(2, { isDefaultOutbound: true, activeNumbers: 0 })],
      null,
      blocked('line 2', 'it has no active phone number'),
    ],
    [
      'without a default and none ready, the first is named',
      [ready(1, { isInactive: true }), ready(2, { activeNumbers: 0 })],
      null,
      blocked('line 1', 'it is switched off'),
    ],
    ['the one that was asked for', [ready(1, { isDefaultOutbound: true }), ready(2)], 2, 2],
    [
      'one that was asked for and is not ready',
      [ready(1), ready(2, { provider: 'twilio' })],
      2,
      blocked('line 2', 'this installation cannot dial with twilio'),
    ],
    [
      "one without the key that proves the carrier's events",
      [ready(1, { credentials: { api_key: 'k', connection_id: '1', webhook_public_key: null } })],
      null,
      blocked('line 1', "the public key for the carrier's events is missing"),
    ],
    [
      'one without an application at the carrier',
      [ready(1, { credentials: { api_key: 'k', connection_id: null, webhook_public_key: 'p' } })],
      null,
      blocked('line 1', 'it has no Call Control application'),
    ],
    [
      'one without credentials',
      [ready(1, { credentials: {} })],
      null,
      blocked('line 1', 'its credentials are not complete'),
    ],
    ['one that nobody has', [ready(1)], 9, { kind: 'unknown' }],
    ['one that nobody has, where there is none at all', [], 9, { kind: 'unknown' }],
  ])('%s', (_title, configurations, id, expected) => {
    expect(choose(configurations, id)).toEqual(expected);
  });
});
