import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');

/** A row of docs/guarantees.md. */
export interface Guarantee {
  /** The guarantee, in a sentence. */
  promise: string;
  /** The file of its test. */
  test: string;
  /** The test's title as written in the test, including `%s` and the like. */
  title: string;
  /** The marker above the code that the test needs: `// guarantee: <marker>` in src. */
  marker: string;
}

const row =
  /^\| (?<promise>[^|]+) \| `(?<test>test\/[^`]+)` “(?<title>[^”]+)” \| `(?<marker>[a-z0-9-]+)` \|$/;

/** The rows of docs/guarantees.md, and the lines of its tables that cannot be read. */
export function readGuarantees(): { guarantees: Guarantee[]; unreadable: string[] } {
  const lines = readFileSync(join(root, 'docs/guarantees.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| Promise |'));
  const read = lines.map((line) => ({ line, groups: row.exec(line)?.groups }));
  return {
    guarantees: read.flatMap(
      ({ groups: { promise = '', test = '', title = '', marker = '' } = {}, groups }) =>
        groups === undefined ? [] : [{ promise, test, title, marker }],
    ),
    unreadable: read.flatMap(({ line, groups }) => (groups === undefined ? [line] : [])),
  };
}
