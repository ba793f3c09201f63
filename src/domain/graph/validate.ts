import {
  duplicateLabelFaults,
  duplicateToolFaults,
  tooManyFaults,
  toolNameFaults,
  unboundTransferFaults,
  type ToolNames,
} from './collision-rules.ts';
import { refusedHeaderFaults } from './check-on-save.ts';
import { type Definition, nodesOf, own } from './definition.ts';
import { graphFault, said } from './describe.ts';
import { degreeFaults } from './degree-rules.ts';
import { type CodedFault, type GraphValidation, published } from './faults.ts';
import { edgeShapeFaults, nodeShapeFaults } from './shape-rules.ts';
import { triggerPathFaults } from './trigger-paths.ts';

const noTools: ToolNames = new Map();
const noTransfers: ReadonlySet<string> = new Set();

/** What the rules know of the organization: its tools, and the files of the agent's campaigns. */
export interface Surroundings {
  /** Function names of the tools that calls are offered, by uuid; undefined if these are not known. */
  toolNames?: ToolNames;
  /** Uuids of the tools that let the conversation choose any destination of a transfer. */
  unboundTransfers?: ReadonlySet<string>;
  /** Uuids of the tools that take a wish not to be called again. */
  optOutTools?: ReadonlySet<string>;
  /** Columns of contact files that calls know by another name only, in lower case, with that name. */
  renamedColumns?: ReadonlyMap<string, string>;
  /** Whether campaigns use the agent. */
  hasCampaigns?: boolean;
}

/** Checks whether a graph can be published and called, with the published keys of each fault (contract 2.5). */
export function validateDefinition(definition: Definition, surroundings: Surroundings = {}): GraphValidation {
  const errors = graphFaults(definition, surroundings).map(published);
  return { is_valid: errors.length === 0, errors };
}

/**
 * Everything that prevents a graph from being published and called (contract 2.5), in one list. Faults of shape
 * or fields skip the degree rules, whose faults would only follow from them; all other rules still report.
 */
export function graphFaults(
  definition: Definition,
  { toolNames = noTools, unboundTransfers = noTransfers }: Surroundings = {},
): CodedFault[] {
  const shape = [
    ...absentListFaults(definition),
    ...nodeShapeFaults(definition),
    ...edgeShapeFaults(definition),
  ];
  return [
    ...shape,
    ...refusedHeaderFaults(definition),
    ...noStartFaults(definition),
    ...tooManyFaults(definition),
    ...(shape.length === 0 ? degreeFaults(definition) : []),
    ...duplicateLabelFaults(definition),
    ...toolNameFaults(definition, toolNames),
    ...duplicateToolFaults(definition, toolNames),
    ...unboundTransferFaults(definition, { toolNames, unboundTransfers }),
    ...triggerPathFaults(definition),
  ];
}

function absentListFaults(definition: Definition): CodedFault[] {
  return ['nodes', 'edges']
    .filter((key) => !Array.isArray(own(definition, key)))
    .map((key) => graphFault('list_missing', key, said(`The graph has no list of ${key}`, { key })));
}

function noStartFaults(definition: Definition): CodedFault[] {
  return nodesOf(definition).some((node) => own(node, 'type') === 'startCall')
    ? []
    : [graphFault('start_missing', null, 'The graph has no start node')];
}
