import { describe, expect, test } from '@jest/globals';
import { childOf, isSameTrace, isSampled, spanIdOf } from '../../../src/domain/trace/carried.ts';

const one = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const unwanted = '00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-00';
const other = '00-4bf92f3577b34da6a3ce929d0e0e4736-b7ad6b7169203331-01';

describe('a trace that a Workflow passes on', () => {
  test("keeps its id and the sender's sampling decision", () => {
    expect(childOf(one, '00f067aa0ba902b7')).toBe('00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01');
    expect([one, unwanted, 'nonsense'].map(isSampled)).toEqual([true, false, false]);
  });

  test.each(['', 'nonsense', `${one}-more`, one.toUpperCase(), one.replace('00-', '01-')])(
    'is not read from «%s»',
    (text) => {
      expect(childOf(text, '00f067aa0ba902b7')).toBeNull();
    },
  );

  test('is distinguished from another one', () => {
    expect([isSameTrace(one, unwanted), isSameTrace(one, other)]).toEqual([true, false]);
  });
});

describe('the id of a span that is computed from its names', () => {
  test('is always the same and well-formed', () => {
    expect(spanIdOf('run', 'update')).toBe(spanIdOf('run', 'update'));
    expect(spanIdOf('run', 'update')).toMatch(/^[0-9a-f]{16}$/);
  });

  test('differs if any name or the end of a name differs', () => {
    const ids = [
      spanIdOf('run', 'update'),
      spanIdOf('run', 'updatf'),
      spanIdOf('rum', 'update'),
      spanIdOf('runu', 'pdate'),
      spanIdOf('run'),
      ...Array.from({ length: 2000 }, (_, index) => spanIdOf('run', String(index))),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });
});
