import {
  duplicateLabelFaults,
  duplicateToolFaults,
  tooManyFaults,
  toolNameFaults,
  type ToolNames,
} from './collision-rules.ts';
import { refusedHeaderFaults } from './check-on-save.ts';
import { type Definition, nodesOf, own } from './definition.ts';
import { graphFault } from './describe.ts';
import { degreeFaults } from './degree-rules.ts';
import type { GraphFault, GraphValidation } from './faults.ts';
import { edgeShapeFaults, nodeShapeFaults } from './shape-rules.ts';
import { triggerPathFaults } from './trigger-paths.ts';

const noTools: ToolNames = new Map();

/**
 * Checks whether a graph can be published and called (contract 2.5) and returns all faults in one list.
 * Faults of shape or fields skip the degree rules, whose faults would only follow from them; all other rules
 * still report. `toolNames` are function names of tools by uuid.
 */
export function validateDefinition(
  definition: Definition,
  { toolNames = noTools }: { toolNames?: ToolNames } = {},
): GraphValidation {
  const shape = [
    ...absentListFaults(definition),
    ...nodeShapeFaults(definition),
    ...edgeShapeFaults(definition),
  ];
  const errors = [
    ...shape,
    ...refusedHeaderFaults(definition),
    ...noStartFaults(definition),
    ...tooManyFaults(definition),
    ...(shape.length === 0 ? degreeFaults(definition) : []),
    ...duplicateLabelFaults(definition),
    ...toolNameFaults(definition, toolNames),
    ...duplicateToolFaults(definition, toolNames),
    ...triggerPathFaults(definition),
  ];
  return { is_valid: errors.length === 0, errors };
}

function absentListFaults(definition: Definition): GraphFault[] {
  return ['nodes', 'edges']
    .filter((key) => !Array.isArray(own(definition, key)))
    .map((key) => graphFault(key, `The graph has no list of ${key}`));
}

function noStartFaults(definition: Definition): GraphFault[] {
  return nodesOf(definition).some((node) => own(node, 'type') === 'startCall')
    ? []
    : [graphFault(null, 'The graph has no start node')];
}
