import {
  type Definition,
  isObject,
  type JsonObject,
  mapNodes,
  nodesOf,
  own,
  ownObject,
  ownText,
} from './definition.ts';
import type { CodedFault } from './faults.ts';
import { nodeFault, said } from './describe.ts';
import { readBoolean } from './fields.ts';

/** 1 to 36 characters (contract 2.3). */
const pathPattern = /^[A-Za-z0-9_-]{1,36}$/;

const field = 'data.trigger_path';

/** A trigger node and its path; null when it has none yet. */
export interface TriggerPath {
  nodeId: string | null;
  path: string | null;
  enabled: boolean;
}

/** 1 to 36 letters, digits, hyphens or underscores. */
export function isTriggerPath(path: string): boolean {
  return pathPattern.test(path);
}

/** The trigger nodes in graph order. */
export function triggerPathsOf(definition: Definition): TriggerPath[] {
  return triggersOf(definition).map((node) => {
    const data = ownObject(node, 'data');
    return {
      nodeId: ownText(node, 'id') ?? null,
      path: ownText(data, 'trigger_path') ?? null,
      enabled: readBoolean(own(data, 'enabled')) !== false,
    };
  });
}

/** The definition with a path in every trigger node: `mint` (a uuid4 source) supplies missing ones. */
export function mintTriggerPaths(definition: Definition, mint: () => string): Definition {
  return mapNodes(definition, (node) => (isUnset(node) ? withPath(node, mint) : node));
}

/** The definition without trigger paths, for a copy that needs its own. */
export function withoutTriggerPaths(definition: Definition): Definition {
  return mapNodes(definition, (node) =>
    own(node, 'type') === 'trigger' ? withPath(node, () => null) : node,
  );
}

/**
 * Paths that are not text, are too long, have other characters, or are used twice in the graph. Absent paths
 * are minted and are not a fault.
 */
export function triggerPathFaults(definition: Definition): CodedFault[] {
  const seen = new Set<string>();
  return triggersOf(definition).flatMap((node): CodedFault[] => {
    if (isUnset(node)) return [];
    const path = own(ownObject(node, 'data'), 'trigger_path');
    if (typeof path !== 'string')
      return [
        nodeFault('trigger_path_wrong', node, field, said('the trigger path must be text', { is: 'text' })),
      ];
    if (!isTriggerPath(path))
      return [
        nodeFault(
          'trigger_path_wrong',
          node,
          field,
          said('the trigger path must be 1 to 36 letters, digits, hyphens or underscores', { is: 'form' }),
        ),
      ];
    if (seen.has(path))
      return [
        nodeFault('trigger_path_repeated', node, field, 'the trigger path is used twice in this graph'),
      ];
    seen.add(path);
    return [];
  });
}

/** Paths that belong to another agent. */
export function takenPathFaults(definition: Definition, taken: ReadonlySet<string>): CodedFault[] {
  return triggersOf(definition)
    .filter((node) => taken.has(ownText(ownObject(node, 'data'), 'trigger_path') ?? ''))
    .map((node) => nodeFault('trigger_path_taken', node, field, 'the trigger path belongs to another agent'));
}

function triggersOf(definition: Definition): JsonObject[] {
  return nodesOf(definition).filter((node) => own(node, 'type') === 'trigger');
}

/**
 * Sets the path of a trigger; nodes of other kinds and triggers whose data is not an object stay unchanged.
 */
function withPath(node: JsonObject, mint: () => string | null): JsonObject {
  const data = own(node, 'data');
  return own(node, 'type') === 'trigger' && isObject(data)
    ? { ...node, data: { ...data, trigger_path: mint() } }
    : node;
}

function isUnset(node: JsonObject): boolean {
  const path = own(ownObject(node, 'data'), 'trigger_path');
  return path === undefined || path === null || path === '';
}
