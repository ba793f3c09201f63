import {
  type Definition,
  edgesOf,
  isObject,
  type JsonObject,
  nodesOf,
  own,
  ownObject,
  ownText,
} from '../../../../src/domain/graph/definition.ts';
import { canonicalText } from '../../../../src/domain/graph/same.ts';

/** What a version holds. */
export interface Content {
  definition: Definition;
  settings: JsonObject;
  testValues: JsonObject;
}

/** A field that differs; `undefined` where it is absent. */
export interface FieldChange {
  field: string;
  before: unknown;
  after: unknown;
}

/** One node, edge, setting, test value or other key of the graph that differs. `moved`: only its place does. */
export interface Change {
  kind: 'added' | 'removed' | 'changed' | 'moved';
  of: 'node' | 'edge' | 'setting' | 'value' | 'graph';
  /** Unique among the things of its sort. */
  id: string;
  /** Name of a node, label of an edge, key of the others. */
  name: string;
  /** Names of the nodes of an edge. */
  source: string;
  target: string;
  /** What a change of words names. Empty for what is added, removed or moved. */
  fields: FieldChange[];
}

/** Everything that differs, in reading order: nodes from the start, each with its edges, then the settings. */
export function compareVersions(before: Content, after: Content): Change[] {
  return [
    ...graphChanges(before.definition, after.definition),
    ...keyChanges('graph', withoutGraph(before.definition), withoutGraph(after.definition)),
    ...keyChanges('setting', before.settings, after.settings),
    ...keyChanges('value', before.testValues, after.testValues),
  ];
}

/** An element of a graph by its id; of several with one id, the later ones get a number. */
export function keyed(elements: readonly JsonObject[]): Map<string, JsonObject> {
  const found = new Map<string, JsonObject>();
  for (const each of elements) {
    const id = ownText(each, 'id') ?? '';
    let key = id;
    for (let place = 2; found.has(key); place += 1) key = `${id} (${place})`;
    found.set(key, each);
  }
  return found;
}

export const nameOf = (node: JsonObject | undefined, id: string): string => {
  const name = node === undefined ? undefined : ownText(ownObject(node, 'data'), 'name')?.trim();
  return name === undefined || name === '' ? id : name;
};

const graphChanges = (before: Definition, after: Definition): Change[] => {
  const [oldNodes, newNodes] = [keyed(nodesOf(before)), keyed(nodesOf(after))];
  const [oldEdges, newEdges] = [keyed(edgesOf(before)), keyed(edgesOf(after))];
  const nameAt = (id: string) => nameOf(newNodes.get(id) ?? oldNodes.get(id), id);
  const changesOf = (of: 'node' | 'edge', old: Map<string, JsonObject>, now: Map<string, JsonObject>) =>
    [...new Set([...now.keys(), ...old.keys()])].flatMap((id): (Change & { at: string })[] => {
      const [was, is] = [old.get(id), now.get(id)];
      if (was !== undefined && is !== undefined && canonicalText(was) === canonicalText(is)) return [];
      const element = is ?? was ?? {};
      const [source, target] = [ownText(element, 'source') ?? '', ownText(element, 'target') ?? ''];
      const fields = was === undefined || is === undefined ? [] : fieldChanges(of, was, is);
      return [
        {
          kind:
            was === undefined
              ? 'added'
              : is === undefined
                ? 'removed'
                : fields.length > 0
                  ? 'changed'
                  : 'moved',
          of,
          id,
          name: of === 'node' ? nameAt(id) : (ownText(ownObject(element, 'data'), 'label') ?? ''),
          source: nameAt(source),
          target: nameAt(target),
          fields,
          at: of === 'node' ? id : source,
        },
      ];
    });
  const order = readingOrder(newNodes, [...newEdges.values(), ...oldEdges.values()], oldNodes);
  const placeOf = (id: string) => order.get(id) ?? order.size;
  return [...changesOf('node', oldNodes, newNodes), ...changesOf('edge', oldEdges, newEdges)]
    .toSorted((one, other) => placeOf(one.at) - placeOf(other.at))
    .map(({ at: _, ...change }) => change);
};

/** Nodes as a call meets them, then those that no edge leads to. */
function readingOrder(
  nodes: Map<string, JsonObject>,
  edges: readonly JsonObject[],
  removed: Map<string, JsonObject>,
): Map<string, number> {
  const all = new Map([...removed, ...nodes]);
  const ids = [...new Set([...nodes.keys(), ...removed.keys()])];
  const starts = ids.filter((id) => own(all.get(id) ?? {}, 'type') === 'startCall');
  const ways = new Map<string, string[]>();
  for (const edge of edges) {
    const source = ownText(edge, 'source') ?? '';
    ways.set(source, [...(ways.get(source) ?? []), ownText(edge, 'target') ?? '']);
  }
  const order = new Map<string, number>();
  for (const first of [...starts, ...ids]) {
    const waiting = [first];
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      if (order.has(id)) continue;
      order.set(id, order.size);
      waiting.push(...(ways.get(id) ?? []));
    }
  }
  return order;
}

const outerFields = { node: ['type'], edge: ['source', 'target'] } as const;

/** The fields that a call notices: those of the data, and those that make the graph. */
function fieldChanges(of: 'node' | 'edge', was: JsonObject, is: JsonObject): FieldChange[] {
  const [oldData, newData] = [own(was, 'data'), own(is, 'data')];
  const outer = outerFields[of].map((field) => ({ field, before: own(was, field), after: own(is, field) }));
  const inner =
    isObject(oldData) && isObject(newData)
      ? [...new Set([...Object.keys(newData), ...Object.keys(oldData)])].map((field) => ({
          field,
          before: own(oldData, field),
          after: own(newData, field),
        }))
      : [{ field: 'data', before: oldData, after: newData }];
  return [...outer, ...inner].filter(differs);
}

const differs = ({ before, after }: FieldChange): boolean => canonicalText(before) !== canonicalText(after);

function keyChanges(of: 'graph' | 'setting' | 'value', before: JsonObject, after: JsonObject): Change[] {
  return [...new Set([...Object.keys(after), ...Object.keys(before)])].flatMap((field): Change[] => {
    const change = { field, before: own(before, field), after: own(after, field) };
    if (!differs(change)) return [];
    return [
      {
        kind: change.before === undefined ? 'added' : change.after === undefined ? 'removed' : 'changed',
        of,
        id: field,
        name: field,
        source: '',
        target: '',
        fields: [change],
      },
    ];
  });
}

const withoutGraph = (definition: Definition): JsonObject =>
  Object.fromEntries(
    Object.entries(definition).filter(([key]) => !['nodes', 'edges', 'viewport'].includes(key)),
  );
