import type { AgentContent } from '../remote/agents.ts';
import { isObject, own, ownText } from '../json.ts';
import { slug } from './slug.ts';
import { stableJson } from './stable-json.ts';

/** Texts of the files of an agent folder, by file name. */
export type Files = ReadonlyMap<string, string>;

export const agentFile = 'agent.json';

/** Key of the object that replaces a prompt with its own file. */
export const fileMark = '$file';

/** Key of the object around a prompt value that is an object, to tell it from `fileMark`. */
export const valueMark = '$value';

/** Whether a text of a node gets its own file, because people write and review it as prose. */
export const isPromptKey = (key: string): boolean => key === 'prompt' || key.endsWith('_prompt');

/**
 * Renders an agent as files: `agent.json`, and one `prompts/<node>.md` for each prompt, with a line break at
 * its end. The same agent always gives the same bytes. Texts that a file cannot preserve (carriage returns,
 * lone surrogates) stay in the JSON.
 */
export function renderAgent({ name, settings, testValues, definition }: AgentContent): Files {
  const files = new Map<string, string>();
  const names = promptNames(Array.isArray(definition['nodes']) ? definition['nodes'] : []);
  const nodes = Array.isArray(definition['nodes'])
    ? definition['nodes'].map((node: unknown, index) => withoutPrompts(node, names[index] ?? '', files))
    : definition['nodes'];
  const shown = Object.hasOwn(definition, 'nodes') ? { ...definition, nodes } : definition;
  return new Map([
    [agentFile, stableJson({ name, settings, test_values: testValues, definition: shown })],
    ...[...files].toSorted(([left], [right]) => (left < right ? -1 : 1)),
  ]);
}

function withoutPrompts(node: unknown, name: string, files: Map<string, string>): unknown {
  const data = own(node, 'data');
  if (!isObject(node) || !isObject(data)) return node;
  const entries = Object.entries(data).map(([key, value]): [string, unknown] => {
    if (isPromptKey(key) && isObject(value)) return [key, { [valueMark]: value }];
    if (!isPromptKey(key) || typeof value !== 'string' || value === '' || !survivesAsFile(value))
      return [key, value];
    const file = `prompts/${name}${key === 'prompt' ? '' : `.${slug(key.slice(0, -'_prompt'.length))}`}.md`;
    files.set(file, `${value}\n`);
    return [key, { [fileMark]: file }];
  });
  return { ...node, data: Object.fromEntries(entries) };
}

const survivesAsFile = (text: string): boolean =>
  !text.includes('\r') && !text.startsWith('\u{FEFF}') && text.isWellFormed();

/** File names of nodes, in order: the name of the node, with its id if several nodes have that name. */
function promptNames(nodes: readonly unknown[]): string[] {
  const plain = nodes.map(
    (node) => slug(ownText(own(node, 'data'), 'name') ?? '') || slug(String(own(node, 'id'))) || 'node',
  );
  const taken = new Set<string>();
  return plain.map((name, index) => {
    const isShared = plain.filter((each) => each === name).length > 1;
    const wanted = isShared ? `${name}-${slug(String(own(nodes[index], 'id')))}` : name;
    const free = taken.has(wanted) ? `${wanted}-${index + 1}` : wanted;
    taken.add(free);
    return free;
  });
}
