import { describe, expect, test } from '@jest/globals';
import { scopes } from '../../../src/contract/data/scopes.ts';
import { permits } from '../../../src/domain/keys/permits.ts';

describe('scopes of a key', () => {
  test.each(scopes)('%s is permitted only by itself, by admin and to a key without limits', (needed) => {
    expect(permits(null, needed)).toBe(true);
    expect(scopes.filter((each) => permits([each], needed))).toEqual(
      scopes.filter((each) => each === needed || each === 'admin'),
    );
  });

  test('no scopes and unknown words permit nothing', () => {
    for (const granted of [[], ['Read'], ['agents:*'], ['']])
      expect(scopes.filter((needed) => permits(granted, needed))).toEqual([]);
  });
});
