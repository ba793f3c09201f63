import { planSizeFault } from './compile.ts';
import {
  duplicateLabelFaults,
  duplicateToolFaults,
  tooManyFaults,
  toolNameFaults,
  type ToolNames,
} from './collision-rules.ts';
import { type Definition, isObject, nodesOf, own, ownList, ownObject, ownText } from './definition.ts';
import { nodeFault, said } from './describe.ts';
import { GraphError, type CodedFault } from './faults.ts';
import { isRefusedHeader } from '../delivery/headers.ts';
import { takenPathFaults, triggerPathFaults } from './trigger-paths.ts';

/** What the rules need to know about the rest of the organization. */
export interface SaveSurroundings {
  on: 'create' | 'update';
  /** Those of the graph's trigger paths that another agent owns. */
  takenPaths: ReadonlySet<string>;
  toolNames: ToolNames;
}

/**
 * Checks the rules that even a draft must keep (contract 2.5, 9.2; the plan's size). Null when the graph may
 * be stored. Faults that prevent storing are 422 and are reported first. Collisions are 422 on create and 409
 * on update; another agent's trigger path is 409 on both.
 */
export function checkOnSave(
  definition: Definition,
  { on, takenPaths, toolNames }: SaveSurroundings,
): GraphError | null {
  const collisions = [
    ...tooManyFaults(definition),
    ...duplicateLabelFaults(definition),
    ...toolNameFaults(definition, toolNames),
    ...duplicateToolFaults(definition, toolNames),
  ];
  const malformed = [
    ...triggerPathFaults(definition),
    ...refusedHeaderFaults(definition),
    ...sizeFaults(definition),
  ];
  const refused = on === 'create' ? [...collisions, ...malformed] : malformed;
  if (refused.length > 0) return new GraphError(refused, { status: 422 });
  const conflicts = [...(on === 'update' ? collisions : []), ...takenPathFaults(definition, takenPaths)];
  return conflicts.length > 0 ? new GraphError(conflicts, { status: 409 }) : null;
}

/** Custom headers that a webhook node cannot set (contract 9.2). */
export function refusedHeaderFaults(definition: Definition): CodedFault[] {
  return nodesOf(definition)
    .filter((node) => own(node, 'type') === 'webhook')
    .flatMap((node) =>
      ownList(ownObject(node, 'data'), 'custom_headers').flatMap((header, index) => {
        const key = isObject(header) ? (ownText(header, 'key') ?? '') : '';
        return isRefusedHeader(key)
          ? [
              nodeFault(
                'header_refused',
                node,
                `custom_headers.${index}.key`,
                said(`the header ${key.trim()} is set by the service`, { header: key.trim() }),
              ),
            ]
          : [];
      }),
    );
}

function sizeFaults(definition: Definition): CodedFault[] {
  const fault = planSizeFault(definition);
  return fault === null ? [] : [fault];
}
