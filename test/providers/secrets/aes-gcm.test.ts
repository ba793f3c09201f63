import { describe, expect, test } from '@jest/globals';
import { InvariantError } from '../../../src/domain/errors.ts';
import { createSecretBox } from '../../../src/providers/secrets/aes-gcm.ts';
import { createTickets } from '../../../src/providers/secrets/tickets.ts';

const key = (id: string, byte: number) => `${id}:${Buffer.alloc(32, byte).toString('base64')}`;
const place = { table: 'credentials', column: 'data_encrypted', organizationId: 7 };

describe('a sealed secret', () => {
  const box = createSecretBox(key('a', 1));

  test.each(['', 'plain', 'snowman ☃ and 😀', 'x'.repeat(100_000), '{"__proto__":1}'])(
    'opens to the sealed text (%#)',
    (plain) => {
      expect(box.open(box.seal(plain, place), place)).toBe(plain);
    },
  );

  test('contains nothing of the plain text, is different each time, and is safe in a URL', () => {
    const [first, second] = [box.seal('hunter2', place), box.seal('hunter2', place)];
    expect(first).not.toBe(second);
    expect(first).not.toContain('hunter2');
    expect(first).toMatch(/^v1\.a\.[\w-]{16}\.[\w-]+$/);
  });

  test.each([{ table: 'webhook_secrets' }, { column: 'name' }, { organizationId: 8 }])(
    'cannot be opened at another place %j',
    (other) => {
      const sealed = box.seal('hunter2', place);
      expect(() => box.open(sealed, { ...place, ...other })).toThrow(/sealed for another place/);
    },
  );

  test('of a user cannot be opened for another user, or for an organization with the same id', () => {
    const own = { table: 'second_factors', column: 'secret_encrypted' };
    const sealed = box.seal('hunter2', { ...own, userId: 7 });
    expect(box.open(sealed, { ...own, userId: 7 })).toBe('hunter2');
    expect(() => box.open(sealed, { ...own, userId: 8 })).toThrow(/of user 8 was changed/);
    expect(() => box.open(sealed, { ...own, organizationId: 7 })).toThrow(/of organization 7 was changed/);
  });

  test('cannot be opened after any of its characters has changed', () => {
    const sealed = box.seal('hunter2', place);
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = sealed.slice(0, index) + (sealed[index] === 'A' ? 'B' : 'A') + sealed.slice(index + 1);
      expect(() => box.open(changed, place)).toThrow(InvariantError);
    }
  });

  test.each(['', '1', '12'])('cannot be opened with a character more, whatever its length (%j)', (plain) => {
    expect(() => box.open(`${box.seal(plain, place)}x`, place)).toThrow(InvariantError);
  });

  test.each(['', 'v1', 'v1.a.b', 'v1.a.b.c', 'v1.a.b.c.d', 'v2.a.b.c', 'plain text'])(
    'is distinguished from other text (%j)',
    (other) => {
      expect(() => box.open(other, place)).toThrow(InvariantError);
    },
  );
});

describe('a key ring', () => {
  test('seals with its first key and opens with all keys', () => {
    const before = createSecretBox(key('a', 1));
    const after = createSecretBox(`${key('b', 2)}, ${key('a', 1)}`);
    const old = before.seal('hunter2', place);
    expect(after.open(old, place)).toBe('hunter2');
    expect(after.isCurrent(old)).toBe(false);
    const fresh = after.seal('hunter2', place);
    expect(fresh).toMatch(/^v1\.b\./);
    expect(after.isCurrent(fresh)).toBe(true);
    expect(() => before.open(fresh, place)).toThrow('The encryption key b is not in the key ring');
  });

  test('opens nothing with a key under the id of another one', () => {
    const sealed = createSecretBox(key('a', 1)).seal('hunter2', place);
    expect(() => createSecretBox(key('a', 2)).open(sealed, place)).toThrow(/was changed/);
  });

  const short = Buffer.alloc(16, 9).toString('base64');
  test.each([
    '',
    ' , ',
    'no-colon',
    `:${short}`,
    `a:${short}`,
    'a:***',
    `${key('a', 1)},${key('a', 2)}`,
    `a b:${short}`,
  ])('is refused if it is invalid, without showing a key (%#)', (text) => {
    const message = messageOf(() => createSecretBox(text));
    expect(message).toMatch(/encryption key/i);
    expect(message).not.toContain(short);
  });

  test('accepts both base64 alphabets', () => {
    const bytes = Buffer.alloc(32, 0xfb);
    const sealed = createSecretBox(`a:${bytes.toString('base64')}`).seal('x', place);
    expect(createSecretBox(`a:${bytes.toString('base64url')}`).open(sealed, place)).toBe('x');
  });
});

describe('a ticket', () => {
  const box = createSecretBox(key('a', 1));
  const tickets = createTickets(box);

  test('opens to its text; all other text opens to null, including secrets of the database', () => {
    expect(tickets.open(tickets.seal('{"callId":1}'))).toBe('{"callId":1}');
    expect(tickets.open('made up')).toBeNull();
    expect(tickets.open(box.seal('{"callId":1}', place))).toBeNull();
  });
});

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return 'nothing was thrown';
}
