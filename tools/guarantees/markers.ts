import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { root } from './guarantees.ts';
import type { Removal } from './removals.ts';

const marker = /^[ \t]*\/\/ guarantee: (\S+)[ \t]*$/gm;

/** Markers of src and of `npm start` with the files that contain them. A marker names one place, so it must be in one file. */
export function readMarkers(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const file of globSync(['src/**/*.{ts,js}', 'tools/bootstrap/*.mjs'], { cwd: root }))
    for (const [, name = ''] of readFileSync(join(root, file), 'utf8').matchAll(marker))
      found.set(name, [...(found.get(name) ?? []), file.replaceAll('\\', '/')]);
  return found;
}

/** The text of a file without the code behind a marker; null when the removal does not match. */
export function withoutCode(
  { file, text }: { file: string; text: string },
  name: string,
  removal: Removal,
): string | null {
  const mark = [...text.matchAll(marker)].find(([, each]) => each === name);
  if (mark === undefined) return null;
  if (typeof removal !== 'string') return replaced(text, mark.index, removal);
  const begin = afterComments(text, mark.index);
  const node = nodesAt(parseSync(file, text).program, begin).at(0);
  if (node === undefined) return null;
  if (removal === 'drop') return cut(text, { ...node, end: behindSeparator(text, node.end) }, '');
  const { test } = node;
  return isNode(test) ? cut(text, test, 'false') : null;
}

interface Node {
  start: number;
  end: number;
  test?: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' &&
  value !== null &&
  'start' in value &&
  typeof value.start === 'number' &&
  'end' in value &&
  typeof value.end === 'number';

/** Nodes that begin at an offset, outermost first. */
function nodesAt(tree: unknown, begin: number): Node[] {
  if (Array.isArray(tree)) return tree.flatMap((each) => nodesAt(each, begin));
  if (!isNode(tree) || tree.end <= begin) return [];
  const own = tree.start === begin && 'type' in tree && tree.type !== 'Program' ? [tree] : [];
  return [
    ...own,
    ...Object.values(tree).flatMap((each) => (typeof each === 'object' ? nodesAt(each, begin) : [])),
  ];
}

/** The offset of the first code after a comment line. */
function afterComments(text: string, from: number): number {
  const code = /^(?!\s*(?:\/\/|$)).*\S/gm;
  code.lastIndex = text.indexOf('\n', from) + 1;
  const line = code.exec(text);
  return line === null ? text.length : line.index + line[0].length - line[0].trimStart().length;
}

const cut = (text: string, { start, end }: Node, replacement: string): string =>
  text.slice(0, start) + replacement + text.slice(end);

const behindSeparator = (text: string, end: number): number => (text[end] === ',' ? end + 1 : end);

function replaced(text: string, from: number, [find, replacement]: readonly [string, string]): string | null {
  const wanted = compact(find).text;
  const whole = compact(text);
  const behind = whole.text.indexOf(
    wanted,
    whole.offsets.findIndex((offset) => offset >= from),
  );
  const at = behind === -1 ? whole.text.indexOf(wanted) : behind;
  const [start, last] = [whole.offsets[at], whole.offsets[at + wanted.length - 1]];
  return at === -1 || start === undefined || last === undefined
    ? null
    : cut(text, { start, end: last + 1 }, replacement);
}

/** A text without whitespace and trailing commas, with the offset of each remaining character. */
function compact(text: string): { text: string; offsets: number[] } {
  const solid = [...text.matchAll(/\S/g)].filter(
    ({ 0: character, index }) => character !== ',' || !/^,\s*[)\]}]/.test(text.slice(index, index + 200)),
  );
  return { text: solid.map(([character]) => character).join(''), offsets: solid.map(({ index }) => index) };
}
