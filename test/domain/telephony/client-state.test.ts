import { describe, expect, test } from '@jest/globals';
import {
  legReference,
  readClientState,
  writeClientState,
} from '../../../src/domain/telephony/client-state.ts';

const uuid = '00000000-0000-4000-8000-00000000000a';

describe('our own reference at the carrier', () => {
  test.each([
    [{ role: 'main' as const, attempt: 1 }, 1],
    [{ role: 'transfer' as const, attempt: 12 }, null],
    [{ role: 'main' as const, attempt: 2 }, 17],
  ])('of %j with generation %s is read back unchanged', (leg, generation) => {
    const state = { reference: legReference(uuid, leg), generation };
    expect(readClientState(writeClientState(state))).toEqual(state);
  });

  test.each(['', 'x', uuid, `${uuid}.m0`, `${uuid}.x1`, `${uuid}.m1#`, `${uuid}.m1#0`, ` ${uuid}.m1`])(
    'is not read from %j',
    (text) => {
      expect(readClientState(text)).toBeNull();
    },
  );
});
