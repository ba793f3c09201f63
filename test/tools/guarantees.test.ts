import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** docs/guarantees.md against the repository: what it names must be there under that name. */
const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

const lines = read('docs/guarantees.md').split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Promise |'));
const row = /^\| (?<promise>[^|]+) \| `(?<test>test\/[^`]+)` “(?<title>[^”]+)” \| `(?<source>src\/[^`]+)` `(?<code>[^`]+)` \|$/;
const named = (line: string): Partial<Record<'promise' | 'test' | 'title' | 'source' | 'code', string>> => row.exec(line)?.groups ?? {};
const guarantees = lines.map((line) => ({ line, ...named(line) }));

describe('each guarantee', () => {
  test('has a sentence, a test and the code that it stands on', () => {
    expect(guarantees.filter(({ promise }) => promise === undefined).map(({ line }) => line)).toEqual([]);
    expect(guarantees.length).toBeGreaterThan(30);
  });

  test.each(guarantees)('$promise Its test has that title', ({ test: file = '', title = '' }) => {
    expect({ file, title, isThere: read(file).replaceAll("\\'", "'").includes(`'${title}'`) }).toEqual({ file, title, isThere: true });
  });

  test.each(guarantees)('$promise Its code is there', ({ source = '', code = '' }) => {
    expect({ source, code, isThere: read(source).includes(code) }).toEqual({ source, code, isThere: true });
  });
});
