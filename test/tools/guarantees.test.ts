import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import {
  markedTestsOf,
  readMarkedTests,
  readMarkers,
  root,
  withoutCode,
} from '../../tools/guarantees/markers.ts';
import { removals, type Removal } from '../../tools/guarantees/removals.ts';
import { under } from '../../tools/guarantees/run-tests.ts';

/** Compares docs/guarantees.md with the markers in the code and in the tests. */
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const rows = read('docs/guarantees.md')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Promise |'));
const guarantees = rows.flatMap((line) => {
  const groups = /^\| [^|]+ \| `(?<file>[^`]+)` \| `(?<marker>[a-z0-9-]+)` \|$/.exec(line)?.groups;
  return groups === undefined ? [] : [groups];
});

const markers = readMarkers();
const tests = readMarkedTests();

describe('each guarantee', () => {
  test('has a sentence, a file of tests and a marker', () => {
    expect(guarantees).toHaveLength(rows.length);
    expect(guarantees.length).toBeGreaterThan(30);
  });

  test('is proved by all tests of its file that have its marker, and each marked test is of a guarantee', () => {
    const named = guarantees.map(({ file, marker }) => `${file} ${marker}`).toSorted();
    const marked = tests.map(({ file, marker }) => `${file} ${marker}`);
    expect([...new Set(marked)].toSorted()).toEqual(named);
  });

  test('has its marker directly above its tests', () => {
    expect(tests.filter(({ title }) => title === '')).toEqual([]);
  });

  test('has one marker in the code and one removal', () => {
    const named = [...new Set(guarantees.map(({ marker = '' }) => marker))].toSorted();
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
    '  // guarantee: paid',
    '  const paid = isOpen && amount > 0 ? await send(amount, { to: bank }) : null;',
    '  // guarantee: listed',
    '  return all.filter((each) => each.isPaid).concat([paid]);',
    '}',
    '',
  ].join('\n');
  const file = 'pay.ts';

  test.each<[string, string, Removal, string]>([
    ['a condition is never true', 'no-debt', 'never', "if (false) throw new Error('negative');"],
    ['a condition is always true', 'no-debt', { change: 'test', to: 'true' }, 'if (true) throw'],
    ['what depends on a condition always happens', 'no-debt', { only: 'then' }, 'no-debt\n  throw new Error'],
    ['an operand is dropped', 'paid', { without: 'operand 1' }, 'const paid = amount > 0 ?'],
    ['an operand is replaced', 'paid', { change: 'operand 2', to: 'true' }, 'isOpen && true ?'],
    ['a choice always has one result', 'paid', { only: 'else' }, 'const paid = null;'],
    ['a value is replaced', 'paid', { change: 'value', to: '1' }, 'const paid = 1;'],
    ['a call is replaced with its await', 'paid', { change: 'call', to: '1' }, '? 1 : null;'],
    ['an argument is dropped', 'paid', { without: 'argument 2' }, 'await send(amount) :'],
    ['an argument stands in place of its call', 'paid', { only: 'argument 1' }, 'await amount :'],
    ['an item is dropped', 'paid', { without: 'item 1' }, 'send(amount, {  })'],
    ['the first item of several is dropped', 'kept', { without: 'item 1' }, 'note(amount, [2,'],
    ['an object stands in place of a call of its method', 'listed', { only: 'receiver' }, 'each.isPaid);'],
    ['the body of a function is replaced', 'listed', { change: 'body', to: 'true' }, '(each) => true)'],
    [
      'a text is found in any layout',
      'kept',
      { text: 'note(amount, [1, 2]);', to: 'note(0);' },
      'note(0);\n  //',
    ],
  ])('%s', (_, marker, removal, left) => {
    expect(withoutCode({ file, text }, marker, removal)).toContain(left);
  });

  test('a statement is dropped', () => {
    expect(withoutCode({ file, text }, 'no-debt', 'drop')).not.toContain('throw');
  });

  test('does not match without its marker, its part or its text', () => {
    expect(withoutCode({ file, text }, 'other', 'drop')).toBeNull();
    expect(withoutCode({ file, text }, 'kept', { without: 'operand 1' })).toBeNull();
    expect(withoutCode({ file, text }, 'kept', { text: 'pay(amount)', to: '' })).toBeNull();
  });
});

describe('a marker in a test', () => {
  const titles = (...lines: string[]) =>
    markedTestsOf({ file: 'pay.test.ts', text: ['// guarantee: paid', ...lines].join('\n') }).map(
      ({ title }) => title,
    );

  test.each([
    ['a test', "test('is paid', () => {});"],
    ['a test beside others', "test.concurrent('is paid', () => {});"],
    ['a table of tests', "test.each([['twice']])('is paid', () => {});"],
    ['a group', "describe('is paid', () => { test('twice', () => {}); });"],
  ])('names %s', (_, code) => {
    expect(titles(code)).toEqual(['is paid']);
  });

  test('names the test below further markers', () => {
    expect(titles('// guarantee: no-debt', "it('is paid', () => {});")).toEqual(['is paid', 'is paid']);
  });

  test.each([
    ['other code', "const paid = 'yes';\ntest('is paid', () => {});"],
    ['another call', "expect('paid').toBe('paid');"],
    ['a test whose title is not written there', 'test(title, () => {});'],
    ['the end', '});'],
  ])('names no test above %s', (_, code) => {
    expect(titles(code)).toEqual(['']);
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
