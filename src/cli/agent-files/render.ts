import type { AgentContent } from '../remote/agents.ts';
import { isObject, own, ownText } from '../json.ts';
import { slug } from './slug.ts';
import { stableJson } from './stable-json.ts';

/** File names of an agent's folder by their text. */
export type Files = ReadonlyMap<string, string>;

export const agentFile = 'agent.json';

/** In place of a prompt that has a file of its own. */
export const fileMark = '$file';

/** Around what stands in place of a prompt and is no text, so that it is not taken for a mark. */
export const valueMark = '$value';

/** Texts of a node that get a file of their own: what a person writes and reviews as prose. */
export const isPromptKey = (key: string): boolean => key === 'prompt' || key.endsWith('_prompt');

/**
 * An agent as files: `agent.json`, and one `prompts/<node>.md` for each prompt. A file holds the text and a
 * line break at its end. The same agent always gives the same bytes. Texts that would not survive as a file
 * (carriage returns, halves of a character) stay in the JSON.
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

/** A file name for each node, in order: its own name, and its id too where several have that name. */
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
