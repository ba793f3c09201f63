import { describe, expect, test } from '@jest/globals';
import jsonPatch from 'fast-json-patch';
import { diffOf } from '../../../../src/services/kernel/audit/diff.ts';

describe('the diff of two states', () => {
  test('lists each changed place with its old value', () => {
    expect(
      diffOf({ name: 'a', 'of/all~': 1, gone: [1] }, { name: 'b', 'of/all~': { x: null }, come: 2 }),
    ).toEqual({
      operations: [
        { op: 'remove', path: '/gone', old_value: [1] },
        { op: 'replace', path: '/of~1all~0', value: { x: null }, old_value: 1 },
        { op: 'replace', path: '/name', value: 'b', old_value: 'a' },
        { op: 'add', path: '/come', value: 2 },
      ],
      isWhole: true,
    });
  });

  test('contains the whole object if it was created or deleted', () => {
    expect(diffOf(null, { name: 'a' }).operations).toEqual([{ op: 'add', path: '/name', value: 'a' }]);
    expect(diffOf({ name: 'a' }, null).operations).toEqual([{ op: 'remove', path: '/name', old_value: 'a' }]);
    expect(diffOf({ name: 'a', left: undefined }, { name: 'a' })).toEqual({ operations: [], isWhole: true });
  });

  const states: object[] = [
    {},
    { a: [1, 2, 3, 4] },
    { a: [2] },
    { a: { 0: 2 } },
    { a: null },
    { a: [{ id: 'x', list: [[], {}] }, 'y'] },
    { constructor: 2, '': 3, toString: 4 },
  ];
  test.each(states.flatMap((before) => states.map((after) => [before, after] as const)))(
    'is a JSON Patch: %j becomes %j',
    (before, after) => {
      const patch = diffOf(before, after).operations.map(({ op, path, value }) =>
        op === 'remove' ? { op, path } : { op, path, value },
      );
      expect(jsonPatch.applyPatch(structuredClone(before), patch, true).newDocument).toEqual(after);
    },
  );

  test('treats a key that objects inherit like any other', () => {
    const inherited: unknown = JSON.parse('{"__proto__":{"polluted":1}}');
    expect(diffOf({}, Object(inherited)).operations).toEqual([
      { op: 'add', path: '/__proto__', value: { polluted: 1 } },
    ]);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  test('names only the places of a large change, at most a thousand', () => {
    const long = diffOf({ prompt: 'a' }, { prompt: 'b'.repeat(70_000), name: 'c' });
    expect(long).toEqual({
      operations: [
        { op: 'replace', path: '/prompt' },
        { op: 'add', path: '/name' },
      ],
      isWhole: false,
    });
    const wide = diffOf(
      null,
      Object.fromEntries(Array.from({ length: 5000 }, (_each, index) => [`key ${index}`, 'some text'])),
    );
    expect([wide.operations.length, wide.isWhole]).toEqual([1000, false]);
  });
});
