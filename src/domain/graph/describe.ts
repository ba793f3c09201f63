import { type JsonObject, own, ownObject, ownText } from './definition.ts';
import type { GraphFault } from './faults.ts';
import { isNodeKind, kindSpec } from './node-kinds.ts';

/** A fault or warning with its stable name. */
type Coded<Code> = GraphFault & { code: Code };

/** How faults name a node: by its name, else its kind, else its id. */
export function describeNode(node: JsonObject): string {
  const name = (ownText(ownObject(node, 'data'), 'name') ?? '').trim();
  if (name !== '') return name;
  const kind = own(node, 'type');
  return isNodeKind(kind) ? kindSpec(kind).label : `Node ${ownText(node, 'id') ?? 'without id'}`;
}

export function nodeFault<Code extends string>(
  code: Code,
  node: JsonObject,
  field: string | null,
  message: string,
): Coded<Code> {
  return {
    code,
    kind: 'node',
    id: ownText(node, 'id') ?? null,
    field,
    message: `${describeNode(node)}: ${message}`,
  };
}

export function edgeFault<Code extends string>(
  code: Code,
  edge: JsonObject,
  field: string | null,
  message: string,
): Coded<Code> {
  const label = (ownText(ownObject(edge, 'data'), 'label') ?? '').trim();
  const id = ownText(edge, 'id') ?? null;
  return {
    code,
    kind: 'edge',
    id,
    field,
    message: `${label === '' ? `Edge ${id ?? 'without id'}` : label}: ${message}`,
  };
}

export function graphFault<Code extends string>(
  code: Code,
  field: string | null,
  message: string,
): Coded<Code> {
  return { code, kind: 'workflow', id: null, field, message };
}
