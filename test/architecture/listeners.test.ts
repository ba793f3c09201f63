import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parseSync } from 'oxc-parser';
import { root } from '../support/process.ts';

/**
 * What a listener or a timer throws ends the process, with everyone's requests and calls. So it is `guarded`
 * (src/runtime/guarded.ts), or it only calls what cannot throw.
 */
const cannotThrow = new Set([
  'abort',
  'add',
  'clearInterval',
  'clearTimeout',
  'delete',
  'destroy',
  'now',
  'off',
  'push',
  'reject',
  'removeEventListener',
  'resolve',
  'set',
  'terminate',
]);
const listening = new Set(['addEventListener', 'addListener', 'on', 'once', 'prependListener']);
const waiting = new Set(['queueMicrotask', 'runAfter', 'setImmediate', 'setInterval', 'setTimeout']);
const calling = new RegExp(`\\b(${[...listening, ...waiting].join('|')})\\(`);
/** Its events come within `write`, so what a listener throws reaches the caller. */
const synchronous = new Set(['src/providers/contact-files/xml.ts']);

type Node = Record<string, unknown> & { type: string; start: number };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

function nodesIn(tree: unknown): Node[] {
  if (Array.isArray(tree)) return tree.flatMap(nodesIn);
  if (!isNode(tree)) return [];
  return [tree, ...Object.values(tree).flatMap((each) => (typeof each === 'object' ? nodesIn(each) : []))];
}

/** The last name of an identifier, of a member or of what a call calls. */
function nameOf(node: unknown): string {
  if (!isNode(node)) return '';
  if (node.type === 'CallExpression' || node.type === 'NewExpression') return nameOf(node['callee']);
  if (node.type === 'MemberExpression') return nameOf(node['property']);
  return typeof node['name'] === 'string' ? node['name'] : '';
}

/** The functions of a file, and the results of calls, by name. */
function functionsIn(nodes: readonly Node[]): Map<string, Node> {
  const named = nodes.map((node): [unknown, unknown] => {
    if (node.type === 'VariableDeclarator') return [node['id'], node['init']];
    if (node.type === 'FunctionDeclaration') return [node['id'], node];
    if (node.type === 'PropertyDefinition') return [node['key'], node['value']];
    return [node['left'], node['right']];
  });
  return new Map(
    named.flatMap(([name, value]): [string, Node][] =>
      isNode(value) && /Function|^CallExpression/.test(value.type) ? [[nameOf(name), value]] : [],
    ),
  );
}

function isSafe(listener: unknown, functions: ReadonlyMap<string, Node>): boolean {
  if (!isNode(listener)) return true;
  if (listener.type === 'CallExpression') return nameOf(listener) === 'guarded';
  if (listener.type.includes('Function'))
    return nodesIn(listener['body']).every(({ type, ...node }) => {
      if (type === 'CallExpression') return cannotThrow.has(nameOf({ type, ...node }));
      return (
        type !== 'ThrowStatement' &&
        (type !== 'NewExpression' || /Error$|Failed$/.test(nameOf(node['callee'])))
      );
    });
  const name = nameOf(listener);
  return cannotThrow.has(name) || (functions.has(name) && isSafe(functions.get(name), functions));
}

/** The lines of the listeners and timers of a file that may throw. */
function bareIn(file: string, text: string): string[] {
  const nodes = nodesIn(parseSync(file, text).program);
  const functions = functionsIn(nodes);
  return nodes.flatMap((node) => {
    if (node.type !== 'CallExpression' || !Array.isArray(node['arguments'])) return [];
    const name = nameOf(node);
    const [first, second, third]: unknown[] = node['arguments'];
    const isMethod = isNode(node['callee']) && node['callee'].type === 'MemberExpression';
    const isSignal = isNode(first) && String(first['value']).startsWith('SIG'); // of the process itself
    const isOne = waiting.has(name) || (isMethod && listening.has(name) && second !== undefined && !isSignal);
    const listener = name === 'runAfter' ? third : isMethod ? second : first;
    return !isOne || isSafe(listener, functions)
      ? []
      : [`${file}:${text.slice(0, node.start).split('\n').length}`];
  });
}

test('every listener and timer of a process is guarded, or calls only what cannot throw', () => {
  const files = globSync('src/**/*.ts', { cwd: root, exclude: ['src/cli/**', 'src/workflows/**'] })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !synchronous.has(file));
  const texts = files.map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
  const some = texts.filter(({ text }) => calling.test(text));
  expect(some.length).toBeGreaterThan(30);
  expect(some.flatMap(({ file, text }) => bareIn(file, text))).toEqual([]);
});

test.each([
  ["socket.on('close', () => this.#closed())", ['a.ts:1']],
  ["socket.on('close', guarded(() => this.#closed(), onFault))", []],
  ["const end = () => { throw new Error('no'); };\nsignal.addEventListener('abort', end)", ['a.ts:2']],
  ["const end = guarded(close, onFault);\nserver.once('error', end)", []],
  ['setTimeout(() => resolve(null), 5)', []],
  ['runAfter(timer, 5, () => this.finish())', ['a.ts:1']],
])('%s is judged', (text, bare) => {
  expect(bareIn('a.ts', text)).toEqual(bare);
});
