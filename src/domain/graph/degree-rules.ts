import { type Definition, edgesOf, nodesOf, own, ownText } from './definition.ts';
import { nodeFault, type Said, said } from './describe.ts';
import type { CodedFault } from './faults.ts';
import { isNodeKind, kindSpec, type Range } from './node-kinds.ts';

/**
 * Nodes with too few or too many neighbors on one side (contract 2.2); two edges between the same nodes count
 * once.
 */
export function degreeFaults(definition: Definition): CodedFault[] {
  const incoming = neighbors(definition, { of: 'target', at: 'source' });
  const outgoing = neighbors(definition, { of: 'source', at: 'target' });
  return nodesOf(definition).flatMap((node) => {
    const [kind, id] = [own(node, 'type'), ownText(node, 'id')];
    if (!isNodeKind(kind) || id === undefined) return [];
    const spec = kindSpec(kind);
    const words = [
      sideFault('incoming', incoming.get(id)?.size ?? 0, spec.incoming),
      sideFault('outgoing', outgoing.get(id)?.size ?? 0, spec.outgoing),
    ];
    return words
      .filter((each) => each !== null)
      .map((each) => nodeFault('neighbors_wrong', node, null, each));
  });
}

function neighbors(definition: Definition, { of, at }: { of: string; at: string }): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const edge of edgesOf(definition)) {
    const [node, neighbor] = [ownText(edge, of), ownText(edge, at)];
    if (node === undefined || neighbor === undefined) continue;
    found.set(node, (found.get(node) ?? new Set()).add(neighbor));
  }
  return found;
}

function sideFault(side: string, count: number, { min, max }: Range): Said | null {
  if (count < min) return said(`needs at least ${min} ${side} transition`, { side, is: 'few', limit: min });
  if (max === null || count <= max) return null;
  return max === 0
    ? said(`cannot have ${side} transitions`, { side, is: 'none' })
    : said(`has ${count} ${side} transitions, at most ${max} allowed`, {
        side,
        is: 'many',
        count,
        limit: max,
      });
}
