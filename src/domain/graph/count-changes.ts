import { type Definition, edgesOf, type JsonObject, nodesOf, own, ownText } from './definition.ts';
import { canonicalText } from './same.ts';

/** The parts of a version that people edit. */
export interface Edited {
  definition: Definition;
  settings: JsonObject;
  testValues: JsonObject;
}

/**
 * How many nodes, edges, settings and test values differ between two versions (contract 1.5). What is added
 * or removed counts as one each; a node that was only moved does not count.
 */
export function countChanges(before: Edited, after: Edited): number {
  const [left, right] = [partsOf(before), partsOf(after)];
  const names = new Set([...left.keys(), ...right.keys()]);
  return [...names].filter((name) => left.get(name) !== right.get(name)).length;
}

function partsOf({ definition, settings, testValues }: Edited): Map<string, string> {
  const parts = new Map<string, string>();
  const add = (name: string, content: unknown) => {
    let place = 0; // ids may repeat
    while (parts.has(`${name}/${place}`)) place += 1;
    parts.set(`${name}/${place}`, canonicalText(content));
  };
  for (const node of nodesOf(definition))
    add(`node/${ownText(node, 'id') ?? ''}`, [own(node, 'type'), own(node, 'data')]);
  for (const edge of edgesOf(definition))
    add(`edge/${ownText(edge, 'id') ?? ''}`, [own(edge, 'source'), own(edge, 'target'), own(edge, 'data')]);
  for (const [key, value] of Object.entries(settings)) add(`setting/${key}`, value);
  for (const [key, value] of Object.entries(testValues)) add(`value/${key}`, value);
  return parts;
}
