import { expect, test } from '@jest/globals';
import { createArgon2 } from '../../../src/providers/passwords/argon2.ts';

const passwords = createArgon2();

test('a password matches only its own hash; two hashes of one password differ', async () => {
  const [one, other] = [await passwords.hash('pässword 1'), await passwords.hash('pässword 1')];
  expect(one).not.toBe(other);
  expect([
    await passwords.matches('pässword 1', one),
    await passwords.matches('pässword 2', one),
    await passwords.matches('', one),
  ]).toEqual([true, false, false]);
});

test('nothing matches a user without a password, not even the password of the placeholder hash', async () => {
  for (const given of ['', 'anything', 'a password without a user'])
    expect(await passwords.matches(given, null)).toBe(false);
});
