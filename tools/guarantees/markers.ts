import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';
import type { PartEdit, Removal, TextEdit } from './removals.ts';

export const root = resolve(import.meta.dirname, '../..');

const marker = /^[ \t]*\/\/ guarantee: (\S+)[ \t]*$/gm;

interface SourceFile {
  file: string;
  text: string;
}

const read = (patterns: string[]): SourceFile[] =>
  globSync(patterns, { cwd: root }).map((file) => ({
    file: file.replaceAll('\\', '/'),
    text: readFileSync(join(root, file), 'utf8'),
  }));

/** Markers of src and of `npm start` with the files that contain them. A marker names one place, so it must be in one file. */
export function readMarkers(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { file, text } of read(['src/**/*.{ts,js}', 'tools/bootstrap/*.mjs']))
    for (const [, name = ''] of text.matchAll(marker)) found.set(name, [...(found.get(name) ?? []), file]);
  return found;
}

/** A test, or a group of tests, that proves the promise of its file and marker in docs/guarantees.md. */
export interface MarkedTest {
  file: string;
  marker: string;
  /** As written, including `%s` and the like; '' if the marker is not directly above a test. */
  title: string;
}

export const readMarkedTests = (): MarkedTest[] => read(['test/**/*.ts']).flatMap(markedTestsOf);

export function markedTestsOf({ file, text }: SourceFile): MarkedTest[] {
  const marks = [...text.matchAll(marker)];
  const program = marks.length === 0 ? null : parseSync(file, text).program;
  return marks.map(({ 1: name = '', index }) => ({
    file,
    marker: name,
    title: titleOf(nodeBelow(program, text, index), text),
  }));
}

function titleOf(node: Node | undefined, text: string): string {
  if (node === undefined || !/^(?:describe|it|test)\b/.test(text.slice(node.start))) return '';
  const [title] = within(node).flatMap((each) => partsOf(each, 'argument'));
  return typeof title?.['value'] === 'string' ? title['value'] : '';
}

/** The text of a file without the code behind a marker; null when the removal does not match. */
export function withoutCode({ file, text }: SourceFile, name: string, removal: Removal): string | null {
  const mark = [...text.matchAll(marker)].find(([, each]) => each === name);
  if (mark === undefined) return null;
  if (typeof removal === 'object' && 'text' in removal) return replaced(text, mark.index, removal);
  const node = nodeBelow(parseSync(file, text).program, text, mark.index);
  if (node === undefined) return null;
  if (removal === 'drop') return cut(text, { ...node, end: behindSeparator(text, node.end) }, '');
  return changed(text, node, removal === 'never' ? { change: 'test', to: 'false' } : removal);
}

/** The outermost node of the first code below a comment line. */
const nodeBelow = (program: unknown, text: string, from: number): Node | undefined =>
  isNode(program) ? nodeAt(program, afterComments(text, from)) : undefined;

interface Node {
  start: number;
  end: number;
  type: string;
  readonly [child: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' &&
  value !== null &&
  'start' in value &&
  typeof value.start === 'number' &&
  'end' in value &&
  typeof value.end === 'number' &&
  'type' in value;

const childrenOf = (node: Node): Node[] =>
  Object.values(node)
    .flatMap((each) => (Array.isArray(each) ? each : [each]))
    .filter(isNode);

/** A node and those in it, in the order of the code. */
const within = (node: Node): Node[] => [node, ...childrenOf(node).flatMap(within)];

/** The outermost node that begins at an offset. */
function nodeAt(node: Node, begin: number): Node | undefined {
  if (node.start === begin && node.type !== 'Program') return node;
  return childrenOf(node)
    .filter(({ start, end }) => start <= begin && begin < end)
    .map((child) => nodeAt(child, begin))
    .find((found) => found !== undefined);
}

/** The text with a part of the marked code left out, alone, or replaced; null without such a part. */
function changed(text: string, marked: Node, edit: PartEdit): string | null {
  const part = 'without' in edit ? edit.without : 'only' in edit ? edit.only : edit.change;
  const [kind = '', number = '1'] = (
    part === 'then' ? 'branch 1' : part === 'else' ? 'branch 2' : part
  ).split(' ');
  for (const node of within(marked)) {
    const parts = partsOf(node, kind);
    const place = Number(number) - 1;
    const found = parts[place];
    if (found === undefined) continue;
    if ('change' in edit) return cut(text, found, edit.to);
    if ('only' in edit) return cut(text, node, text.slice(found.start, found.end));
    const [before, after] = [parts[place - 1], parts[place + 1]];
    const start = before?.end ?? found.start;
    const end = before === undefined ? (after?.start ?? behindSeparator(text, found.end)) : found.end;
    return cut(text, { ...found, start, end }, '');
  }
  return null;
}

/** The parts of a kind that a node itself has. */
function partsOf(node: Node, kind: string): Node[] {
  const { type, test, consequent, alternate, callee, body } = node;
  switch (kind) {
    case 'whole':
      return [node];
    case 'test':
      return [test].filter(isNode);
    case 'branch':
      return [consequent, alternate].filter(isNode);
    case 'operand':
      return operandsOf(node);
    case 'call':
      return isCall(type === 'AwaitExpression' ? node['argument'] : node) ? [node] : [];
    case 'receiver':
      return isCall(node) && isNode(callee) ? [callee['object']].filter(isNode) : [];
    case 'argument':
      return isCall(node) && Array.isArray(node['arguments']) ? node['arguments'].filter(isNode) : [];
    case 'item': {
      const items =
        type === 'ObjectExpression' ? node['properties'] : type === 'ArrayExpression' && node['elements'];
      return Array.isArray(items) ? items.filter(isNode) : [];
    }
    case 'body':
      return type === 'ArrowFunctionExpression' ? [body].filter(isNode) : [];
    default:
      return [node[valueNames[type] ?? '']].filter(isNode);
  }
}

/** Where a node has what it assigns or answers. */
const valueNames: Partial<Record<string, string>> = {
  VariableDeclarator: 'init',
  Property: 'value',
  PropertyDefinition: 'value',
  AssignmentExpression: 'right',
  ReturnStatement: 'argument',
};

const isCall = (node: unknown): boolean =>
  isNode(node) && (node.type === 'CallExpression' || node.type === 'NewExpression');

/** What a chain of one operator joins: `a && b && c`, `a + b`. */
function operandsOf({ type, operator, left, right }: Node): Node[] {
  if (type !== 'LogicalExpression' && operator !== '+') return [];
  const isSame = isNode(left) && left['operator'] === operator;
  return [...(isSame ? operandsOf(left) : [left].filter(isNode)), ...[right].filter(isNode)];
}

/** The offset of the first code after a comment line. */
function afterComments(text: string, from: number): number {
  const code = /^(?!\s*(?:\/\/|$)).*\S/gm;
  code.lastIndex = text.indexOf('\n', from) + 1;
  const line = code.exec(text);
  return line === null ? text.length : line.index + line[0].length - line[0].trimStart().length;
}

const cut = (text: string, { start, end }: Pick<Node, 'start' | 'end'>, replacement: string): string =>
  text.slice(0, start) + replacement + text.slice(end);

const behindSeparator = (text: string, end: number): number => (text[end] === ',' ? end + 1 : end);

function replaced(text: string, from: number, { text: find, to }: TextEdit): string | null {
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
    : cut(text, { start, end: last + 1 }, to);
}

/** A text without whitespace and trailing commas, with the offset of each remaining character. */
function compact(text: string): { text: string; offsets: number[] } {
  const solid = [...text.matchAll(/\S/g)].filter(
    ({ 0: character, index }) => character !== ',' || !/^,\s*[)\]}]/.test(text.slice(index, index + 200)),
  );
  return { text: solid.map(([character]) => character).join(''), offsets: solid.map(({ index }) => index) };
}
