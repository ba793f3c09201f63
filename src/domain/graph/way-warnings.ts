import {
  type Definition,
  edgesOf,
  type JsonObject,
  nodesOf,
  own,
  ownList,
  ownObject,
  ownText,
} from './definition.ts';
import { edgeFault, nodeFault, said } from './describe.ts';
import { conversationEdges, type GraphEdge, groupBySource } from './edges.ts';
import { readBoolean } from './fields.ts';
import { functionNameOf } from './function-name.ts';
import type { Warning } from './findings.ts';
import { isConversationKind } from './node-kinds.ts';

/**
 * Warnings about the ways through a graph (contract 2.7). A tool may end or transfer the call, so a node with tools
 * may be the last one.
 */
export function wayWarnings(definition: Definition): Warning[] {
  const ways = groupBySource(conversationEdges(definition));
  return [...nodeWarnings(definition, ways), ...alikeWarnings(definition), ...addressWarnings(definition)];
}

function nodeWarnings(definition: Definition, ways: ReadonlyMap<string, GraphEdge[]>): Warning[] {
  const nodes = nodesOf(definition).filter((node) => isConversationKind(own(node, 'type')));
  const targetsOf = (id: string) => (ways.get(id) ?? []).map(({ target }) => target);
  const starts = idsOf(nodes.filter((node) => own(node, 'type') === 'startCall'));
  const reached = closure(starts, targetsOf);
  const sources = Map.groupBy([...ways.values()].flat(), ({ target }) => target);
  const ending = closure(idsOf(nodes.filter(mayEnd)), (id) =>
    (sources.get(id) ?? []).map(({ source }) => source),
  );
  return nodes.flatMap((node): Warning[] => {
    const id = ownText(node, 'id');
    if (id === undefined) return [];
    if (starts.length > 0 && !reached.has(id))
      return [
        {
          ...nodeFault('unreachable', node, null, 'no way from the start leads here'),
          fix: { label: 'Remove the node', edit: { op: 'remove_node' } },
        },
      ];
    if (targetsOf(id).length === 0 && !mayEnd(node))
      return [
        {
          ...nodeFault('dead_end', node, null, 'has no way out, and is not an end'),
          fix: { label: 'Add a way out', edit: { op: 'add_edge' } },
        },
      ];
    return ending.has(id) || [...closure([id], targetsOf)].some((each) => targetsOf(each).length === 0)
      ? [] // a dead end ahead is a warning of its own
      : [nodeFault('no_end_ahead', node, null, 'no way from here leads to an end')];
  });
}

const idsOf = (nodes: readonly JsonObject[]): string[] => nodes.flatMap((node) => ownText(node, 'id') ?? []);

const mayEnd = (node: JsonObject): boolean =>
  own(node, 'type') === 'endCall' || ownList(ownObject(node, 'data'), 'tool_uuids').length > 0;

/** Every id that can be reached from these, themselves included. */
function closure(from: readonly string[], next: (id: string) => readonly string[]): Set<string> {
  const found = new Set(from);
  for (const id of found) for (const each of next(id)) found.add(each); // a set visits what is added meanwhile
  return found;
}

/** Nodes with a tool that no call is offered (contract 15.1): the model never learns of it. */
export function missingToolWarnings(
  definition: Definition,
  offered: ReadonlyMap<string, unknown>,
): Warning[] {
  return nodesOf(definition).flatMap((node): Warning[] => {
    const count = ownList(ownObject(node, 'data'), 'tool_uuids').filter(
      (uuid) => typeof uuid === 'string' && !offered.has(uuid),
    ).length;
    const what = count === 1 ? 'a tool' : `${count} tools`;
    return count === 0
      ? []
      : [
          nodeFault(
            'tool_not_offered',
            node,
            'tool_uuids',
            said(`names ${what} that no call is offered: archived, or gone`, { count }),
          ),
        ];
  });
}

/** Transitions of one node that say nearly the same. Equal names are errors. */
function alikeWarnings(definition: Definition): Warning[] {
  const bySource = Map.groupBy(edgesOf(definition), (edge) => ownText(edge, 'source'));
  return [...bySource.values()].flatMap((edges) =>
    edges.flatMap((edge, index): Warning[] => {
      const twin = edges.slice(0, index).find((other) => isAlike(edge, other));
      return twin === undefined
        ? []
        : [
            edgeFault(
              'transitions_alike',
              edge,
              'data.label',
              said(`says nearly the same as ${labelOf(twin)}; the model cannot tell the two apart`, {
                other: labelOf(twin),
              }),
            ),
          ];
    }),
  );
}

const labelOf = (edge: JsonObject): string => (ownText(ownObject(edge, 'data'), 'label') ?? '').trim();

function isAlike(one: JsonObject, other: JsonObject): boolean {
  const [left, right] = [wordsOf(labelOf(one)), wordsOf(labelOf(other))];
  if (left.length === 0 || functionNameOf(labelOf(one)) === functionNameOf(labelOf(other))) return false;
  return left.toSorted().join(' ') === right.toSorted().join(' ');
}

/** Words without case, punctuation, articles and the s of a plural. */
function wordsOf(label: string): string[] {
  return label
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !articles.has(word))
    .map((word) => (word.length > 3 ? word.replace(/s$/, '') : word));
}

const articles: ReadonlySet<string> = new Set(['a', 'an', 'the']);

function addressWarnings(definition: Definition): Warning[] {
  return nodesOf(definition).flatMap((node): Warning[] => {
    const data = ownObject(node, 'data');
    const address = (ownText(data, 'endpoint_url') ?? '').trim();
    if (own(node, 'type') !== 'webhook' || readBoolean(own(data, 'enabled')) === false) return [];
    return address !== '' && URL.canParse(address)
      ? []
      : [
          nodeFault(
            'webhook_without_address',
            node,
            'endpoint_url',
            'sends nothing without a complete address; enter one or switch the node off',
          ),
        ];
  });
}
