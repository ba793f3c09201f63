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
import { describeNode, edgeFault, graphFault, nodeFault, said } from './describe.ts';
import type { CodedFault } from './faults.ts';
import { functionNameOf } from './function-name.ts';
import { kindSpec, nodeKinds, type NodeKind } from './node-kinds.ts';

/** Function names of the organization's tools by tool uuid. */
export type ToolNames = ReadonlyMap<string, string>;

/**
 * Rules that apply to drafts, too (contract 2.5): a graph that breaks them cannot be stored or offered to a
 * model.
 */

/** More nodes of a kind than one graph may hold. */
export function tooManyFaults(definition: Definition): CodedFault[] {
  return kinds().flatMap((kind) => {
    const { label, instances } = kindSpec(kind);
    const count = nodesOf(definition).filter((node) => own(node, 'type') === kind).length;
    return instances.max !== null && count > instances.max
      ? [
          graphFault(
            'too_many_nodes',
            null,
            said(`${label}: the graph has ${count} of them, at most ${instances.max} is allowed`, {
              type: label,
              count,
              max: instances.max,
            }),
          ),
        ]
      : [];
  });
}

/** Edges of one node whose labels lead to the same function name; all of them are reported. */
export function duplicateLabelFaults(definition: Definition): CodedFault[] {
  const keyOf = (edge: JsonObject) => {
    const name = functionName(edge);
    return name === null ? null : JSON.stringify([ownText(edge, 'source'), name]);
  };
  const counts = new Map<string | null, number>();
  for (const edge of edgesOf(definition)) counts.set(keyOf(edge), (counts.get(keyOf(edge)) ?? 0) + 1);
  return edgesOf(definition)
    .filter((edge) => keyOf(edge) !== null && (counts.get(keyOf(edge)) ?? 0) > 1)
    .map((edge) =>
      edgeFault(
        'transition_names_equal',
        edge,
        'data.label',
        said(
          `two transitions of one node are called ${functionName(edge)}; labels must differ in letters or digits`,
          { name: functionName(edge) ?? '' },
        ),
      ),
    );
}

/** Edges whose function name is that of a tool attached to the node they leave. */
export function toolNameFaults(definition: Definition, toolNames: ToolNames): CodedFault[] {
  const nodes = new Map(
    nodesOf(definition).map((node) => [
      ownText(node, 'id'),
      { name: describeNode(node), tools: attachedNames(node, toolNames) },
    ]),
  );
  return edgesOf(definition).flatMap((edge) => {
    const [name, source] = [functionName(edge), nodes.get(ownText(edge, 'source'))];
    return name !== null && source?.tools.has(name) === true
      ? [
          edgeFault(
            'transition_named_as_tool',
            edge,
            'data.label',
            said(`a tool of ${source.name} is called ${name} too`, { node: source.name, name }),
          ),
        ]
      : [];
  });
}

/** Nodes of which two tools would be offered under one name (contract 15.1). */
export function duplicateToolFaults(definition: Definition, toolNames: ToolNames): CodedFault[] {
  return nodesOf(definition).flatMap((node) => {
    const names = toolsOf(node).flatMap((uuid) => toolNames.get(uuid) ?? []);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    return twice === undefined
      ? []
      : [
          nodeFault(
            'tool_names_equal',
            node,
            'data.tool_uuids',
            said(`two of its tools are called ${twice}`, {
              name: twice,
            }),
          ),
        ];
  });
}

/** Nodes with a tool that transfers callers wherever the conversation says (contract 12.7). Drafts may. */
export function unboundTransferFaults(
  definition: Definition,
  { toolNames, unboundTransfers }: { toolNames: ToolNames; unboundTransfers: ReadonlySet<string> },
): CodedFault[] {
  return nodesOf(definition).flatMap((node) => {
    const uuid = toolsOf(node).find((each) => unboundTransfers.has(each));
    return uuid === undefined
      ? []
      : [
          nodeFault(
            'transfer_unbound',
            node,
            'data.tool_uuids',
            said(
              `its tool ${toolNames.get(uuid) ?? uuid} transfers to any destination that the conversation chooses; list the allowed ones in allowed_destinations of the tool`,
              { tool: toolNames.get(uuid) ?? uuid },
            ),
          ),
        ];
  });
}

/** Every tool that a node of the graph refers to, without repeats. */
export function toolUuidsOf(definition: Definition): string[] {
  return [...new Set(nodesOf(definition).flatMap(toolsOf))];
}

function attachedNames(node: JsonObject, toolNames: ToolNames): ReadonlySet<string | undefined> {
  return new Set(toolsOf(node).map((uuid) => toolNames.get(uuid)));
}

function toolsOf(node: JsonObject): string[] {
  const uuids = ownList(ownObject(node, 'data'), 'tool_uuids').filter(
    (uuid): uuid is string => typeof uuid === 'string',
  );
  return [...new Set(uuids)];
}

function functionName(edge: JsonObject): string | null {
  const label = ownText(ownObject(edge, 'data'), 'label') ?? '';
  return label === '' ? null : functionNameOf(label);
}

/** Every kind, in the order of the registry. */
export function kinds(): NodeKind[] {
  const names: readonly string[] = Object.keys(nodeKinds);
  return names.filter((name): name is NodeKind => Object.hasOwn(nodeKinds, name));
}
