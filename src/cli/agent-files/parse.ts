import type { AgentContent } from '../remote/agents.ts';
import { UsageError } from '../failures.ts';
import { isObject, type JsonObject, own } from '../json.ts';
import { agentFile, fileMark, isPromptKey, valueMark } from './render.ts';

/** Names of the prompt files in `agent.json`. */
export function namedFiles(text: string, where: string): string[] {
  return nodesOf(parseJson(text, where)).flatMap((node) =>
    Object.values(dataOf(node)).flatMap((value) => markOf(value) ?? []),
  );
}

/**
 * Parses an agent, as the inverse of `renderAgent`. `read` returns the text of a prompt file, or null. Throws
 * UsageError that names the file and the field.
 */
export function parseAgent(
  text: string,
  { where, read }: { where: string; read: (file: string) => string | null },
): AgentContent {
  const agent = parseJson(text, where);
  const name = own(agent, 'name');
  if (typeof name !== 'string') throw new UsageError(`${where}: "name" must be a string`);
  const definition = objectAt(agent, 'definition', where);
  const nodes = Array.isArray(definition['nodes'])
    ? { nodes: definition['nodes'].map((node: unknown) => withPrompts(node, { where, read })) }
    : {};
  return {
    name,
    settings: objectAt(agent, 'settings', where),
    testValues: objectAt(agent, 'test_values', where),
    definition: { ...definition, ...nodes },
  };
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text.replace(/^\u{FEFF}/u, ''));
  } catch (error) {
    throw new UsageError(`${where} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function objectAt(agent: unknown, key: string, where: string): JsonObject {
  const value = own(agent, key);
  if (!isObject(value))
    throw new UsageError(
      `${where}: "${key}" must be an object`,
      `${agentFile} has name, settings, test_values and definition.`,
    );
  return value;
}

function withPrompts(
  node: unknown,
  { where, read }: { where: string; read: (file: string) => string | null },
): unknown {
  const data = own(node, 'data');
  if (!isObject(node) || !isObject(data)) return node;
  const entries = Object.entries(data).map(([key, value]): [string, unknown] => {
    if (!isPromptKey(key) || !isObject(value)) return [key, value];
    const file = markOf(value);
    if (file === undefined) return [key, own(value, valueMark) ?? value];
    const text = read(file);
    if (text === null)
      throw new UsageError(
        `${where}: node ${String(node['id'])}, ${key} names ${file}, which does not exist`,
      );
    return [key, textOfFile(text)];
  });
  return { ...node, data: Object.fromEntries(entries) };
}

/** Removes the last line break, and restores line ends that git may have changed. */
// guarantee: agent-files-round-trip
const textOfFile = (text: string): string => text.replaceAll('\r\n', '\n').replace(/\n$/, '');

const nodesOf = (agent: unknown): unknown[] => {
  const nodes = own(own(agent, 'definition'), 'nodes');
  return Array.isArray(nodes) ? nodes : [];
};

const dataOf = (node: unknown): JsonObject => {
  const data = own(node, 'data');
  return isObject(data) ? Object.fromEntries(Object.entries(data).filter(([key]) => isPromptKey(key))) : {};
};

function markOf(value: unknown): string | undefined {
  const file = own(value, fileMark);
  return typeof file === 'string' && isObject(value) && Object.keys(value).length === 1 ? file : undefined;
}
