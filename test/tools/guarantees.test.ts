import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { readGuarantees, root } from '../../tools/guarantees/guarantees.ts';
import { readMarkers, withoutCode } from '../../tools/guarantees/markers.ts';
import { removals } from '../../tools/guarantees/removals.ts';
import { under } from '../../tools/guarantees/run-tests.ts';

/** Compares docs/guarantees.md with the repository: everything that it names must exist under that name. */
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const { guarantees, unreadable } = readGuarantees();

const markers = readMarkers();
const squeezed = (text: string) => text.replaceAll("\\'", "'").replaceAll(/\s+/g, ' ');

describe('each guarantee', () => {
  test('has a sentence, a test, and a marker in the code that the test needs', () => {
    expect(unreadable).toEqual([]);
    expect(guarantees.length).toBeGreaterThan(30);
  });

  test('names a test that exists', () => {
    expect(guarantees.filter(({ test: file, title }) => !squeezed(read(file)).includes(title))).toEqual([]);
  });

  test('has one marker in the code and one removal', () => {
    const named = [...new Set(guarantees.map(({ marker }) => marker))].toSorted();
    expect([...markers.keys()].toSorted()).toEqual(named);
    expect(Object.keys(removals).toSorted()).toEqual(named);
    expect([...markers].filter(([, files]) => files.length > 1)).toEqual([]);
  });
});

describe('each removal (npm run guarantees:removed)', () => {
  test('matches at its marker, and leaves a file that can be parsed', () => {
    const broken = Object.entries(removals).filter(([marker, removal]) => {
      const [file = ''] = markers.get(marker) ?? [];
      const text = read(file);
      const shorter = withoutCode({ file, text }, marker, removal);
      return shorter === null || shorter === text || parseSync(file, shorter).errors.length > 0;
    });
    expect(broken).toEqual([]);
  });

  const text = [
    'export function pay(amount: number) {',
    '  // guarantee: no-debt',
    "  if (amount < 0) throw new Error('negative');",
    '  // guarantee: kept',
    '  note(amount, [1,',
    '    2,',
    '  ]);',
    '  return amount;',
    '}',
    '',
  ].join('\n');
  const file = 'pay.ts';

  test.each([
    ['a statement is dropped', 'no-debt', 'drop', (left: string) => !left.includes('throw')],
    ['a condition is never true', 'no-debt', 'never', (left: string) => left.includes('if (false) throw')],
    [
      'a text is found in any layout',
      'kept',
      ['note(amount, [1, 2]);', 'note(0);'],
      (left: string) => left.includes('note(0);\n  return'),
    ],
  ] as const)('%s', (_, marker, removal, isRight) => {
    expect(isRight(withoutCode({ file, text }, marker, removal) ?? '')).toBe(true);
  });

  test('does not match without its marker or its text', () => {
    expect(withoutCode({ file, text }, 'other', 'drop')).toBeNull();
    expect(withoutCode({ file, text }, 'kept', ['pay(amount)', ''])).toBeNull();
  });
});

describe('the tests with a title', () => {
  const ran = (...titles: string[]) => ({ titles, hasPassed: true, message: '' });

  test.each([
    ['is refused (twice)', ran('calls on mysql', 'is refused (twice)')],
    ['%s of %j is refused', ran('a call of {"id":1} is refused')],
    ['$name is refused', ran('a call is refused')],
    ['the refusals', ran('the refusals', 'a call')],
  ])(
    '“%s” are found by the title as written, with placeholders filled, or by the group',
    (title, outcome) => {
      expect(under(title, [outcome])).toEqual([outcome]);
    },
  );

  test('exclude tests whose titles only begin or end like it', () => {
    expect(under('is refused', [ran('is refused twice'), ran('a call is refused')])).toEqual([]);
  });
});
