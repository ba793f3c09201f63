import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { readGuarantees, root } from '../../tools/guarantees/guarantees.ts';
import { removalOf, removals } from '../../tools/guarantees/removals.ts';
import { under } from '../../tools/guarantees/run-tests.ts';

/** docs/guarantees.md against the repository: what it names must be there under that name. */
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const { guarantees, unreadable } = readGuarantees();

describe('each guarantee', () => {
  test('has a sentence, a test and the code that it stands on', () => {
    expect(unreadable).toEqual([]);
    expect(guarantees.length).toBeGreaterThan(30);
  });

  test.each(guarantees)('$promise Its test has that title', ({ test: file, title }) => {
    expect({ file, title, isThere: read(file).replaceAll("\\'", "'").includes(`'${title}'`) }).toEqual({
      file,
      title,
      isThere: true,
    });
  });

  test.each(guarantees)('$promise Its code is there', ({ source, code }) => {
    expect({ source, code, isThere: read(source).includes(code) }).toEqual({ source, code, isThere: true });
  });

  test.each(guarantees)('$promise There is an edit that takes its code out', ({ source, code }) => {
    expect({ source, code, isThere: removalOf({ source, code }) !== null }).toEqual({
      source,
      code,
      isThere: true,
    });
  });
});

describe('each edit that takes code out (npm run guarantees:removed)', () => {
  const edits = Object.entries(removals).flatMap(([source, each]) =>
    each.map(([find, replace]) => ({ source, find, replace, line: find.split('\n').at(-1) })),
  );

  test.each(edits)(
    '$source: $line is there once, and what is left of the file can be read',
    ({ source, find, replace }) => {
      const text = read(source);
      expect(text.split(find)).toHaveLength(2);
      expect(() => stripTypeScriptTypes(text.replace(find, () => replace))).not.toThrow();
    },
  );

  test('is that of a guarantee', () => {
    expect(
      edits.filter(
        ({ source, find }) => !guarantees.some((each) => each.source === source && find.includes(each.code)),
      ),
    ).toEqual([]);
  });
});

describe('what ran under a title', () => {
  const ran = (...titles: string[]) => ({ titles, hasPassed: true, message: '' });

  test.each([
    ['is refused (twice)', ran('calls on mysql', 'is refused (twice)')],
    ['%s of %j is refused', ran('a call of {"id":1} is refused')],
    ['$name is refused', ran('a call is refused')],
    ['what is refused', ran('what is refused', 'a call')],
  ])('“%s” is found as it is written, with what stands in it, or by its group', (title, outcome) => {
    expect(under(title, [outcome])).toEqual([outcome]);
  });

  test('is no test whose title only begins or ends like it', () => {
    expect(under('is refused', [ran('is refused twice'), ran('a call is refused')])).toEqual([]);
  });
});
