import { isObject, ownList, ownText } from '../../../../../src/domain/graph/definition.ts';
import type { GraphNode } from '../../../graph/draft.ts';
import type { Row } from './rows.ts';

/** A value that the agent extracts. */
export interface Found {
  name: string;
  /** Undefined while it is not known. */
  value: unknown;
  /** The turn after which it was read, and its moment. Null if its node was not reached. */
  turn: number | null;
  at: number | null;
}

const isKnown = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/**
 * The values that the agent's nodes extract, in the order of the graph. The values of a node are read when the
 * conversation leaves it: they come from what was said until then.
 */
export function foundIn(
  nodes: readonly GraphNode[],
  rows: readonly Row[],
  gathered: Readonly<Record<string, unknown>> | null,
): readonly Found[] {
  const left = lastWords(rows);
  const found = new Map<string, Found>();
  for (const { id, data } of nodes) {
    if (data['extraction_enabled'] !== true) continue;
    const names = ownList(data, 'extraction_variables')
      .filter(isObject)
      .flatMap((each) => ownText(each, 'name') ?? []);
    for (const name of names.filter((each) => each !== '')) {
      const value = gathered !== null && Object.hasOwn(gathered, name) ? gathered[name] : undefined;
      const words = left.get(id);
      const before = found.get(name);
      const later = words !== undefined && words.at >= (before?.at ?? -1) ? words : before;
      found.set(name, {
        name,
        value: isKnown(value) ? value : undefined,
        turn: later?.turn ?? null,
        at: later?.at ?? null,
      });
    }
  }
  return [...found.values()];
}

/** The last words of the caller until each node was left, by its id. */
function lastWords(rows: readonly Row[]): ReadonlyMap<string, { turn: number; at: number }> {
  const last = new Map<string, { turn: number; at: number }>();
  let node: string | null = null;
  let words: { turn: number; at: number } | null = null;
  for (const row of rows) {
    if (row.kind === 'hop') node = row.nodeId;
    if (row.kind === 'caller') words = row;
    if (node !== null && words !== null && (row.kind === 'hop' || row.kind === 'caller'))
      last.set(node, { turn: words.turn, at: words.at });
  }
  return last;
}
