import { type JsonObject, own, ownObject, ownText } from './definition.ts';
import type { FaultValues, GraphFault } from './faults.ts';
import { isNodeKind, kindSpec } from './node-kinds.ts';

/** A fault or warning with its stable name. */
type Coded<Code> = GraphFault & { code: Code; values?: FaultValues };

/** How faults name a node: by its name, else its kind, else its id. */
export function describeNode(node: JsonObject): string {
  const name = (ownText(ownObject(node, 'data'), 'name') ?? '').trim();
  if (name !== '') return name;
  const kind = own(node, 'type');
  return isNodeKind(kind) ? kindSpec(kind).label : `Node ${ownText(node, 'id') ?? 'without id'}`;
}

/** Words of a fault with what they name. */
export interface Said {
  message: string;
  values: FaultValues;
}

export const said = (message: string, values: FaultValues): Said => ({ message, values });

export function nodeFault<Code extends string>(
  code: Code,
  node: JsonObject,
  field: string | null,
  words: string | Said,
): Coded<Code> {
  return { code, kind: 'node', id: ownText(node, 'id') ?? null, field, ...named(describeNode(node), words) };
}

export function edgeFault<Code extends string>(
  code: Code,
  edge: JsonObject,
  field: string | null,
  words: string | Said,
): Coded<Code> {
  const label = (ownText(ownObject(edge, 'data'), 'label') ?? '').trim();
  const id = ownText(edge, 'id') ?? null;
  const name = label === '' ? `Edge ${id ?? 'without id'}` : label;
  return { code, kind: 'edge', id, field, ...named(name, words) };
}

export function graphFault<Code extends string>(
  code: Code,
  field: string | null,
  words: string | Said,
): Coded<Code> {
  return {
    code,
    kind: 'workflow',
    id: null,
    field,
    ...(typeof words === 'string' ? { message: words } : words),
  };
}

const named = (name: string, words: string | Said): { message: string } | Said =>
  typeof words === 'string'
    ? { message: `${name}: ${words}` }
    : { ...words, message: `${name}: ${words.message}` };
