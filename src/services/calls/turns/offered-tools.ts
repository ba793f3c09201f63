import { In } from 'typeorm';
import { findRows } from '../../../db/rows.ts';
import { tools, type ToolRow } from '../../../db/tables/tools.ts';
import {
  builtInOptOut,
  nativeAction,
  spokenWith,
  toolMeaning,
  toolParameters,
} from '../../../domain/agent-tools/offer.ts';
import { own, type JsonObject } from '../../../domain/graph/definition.ts';
import { offerableNames, toolFunctionName } from '../../../domain/graph/function-name.ts';
import { edgeTools } from '../../../domain/graph/model.ts';
import { isUuid } from '../../../domain/uuid.ts';
import type { ConversationDeps } from './deps.ts';
import type { ToolCallRequest } from '../../../domain/call/tool-call.ts';
import { nodeIn, type Scene } from './scene.ts';
import { filled, type WrittenLine } from './written-lines.ts';

/** A tool as it is offered to the model. */
export interface OfferedTool {
  toolUuid: string;
  name: string;
  description: string;
  parameters: Record<string, unknown>;
  definition: JsonObject;
}

/**
 * The tools of a node, in the node's order (contract 15.1). Unknown and archived tools are left out. In calls
 * of campaigns, the built-in opt-out follows them.
 */
export async function offeredTools({
  deps,
  scene,
  nodeId,
}: {
  deps: ConversationDeps;
  scene: Scene;
  nodeId: string;
}): Promise<OfferedTool[]> {
  return offerTools({
    scene,
    nodeId,
    rows: await findTools(deps, scene.call.organizationId, nodeIn(scene, nodeId).toolUuids),
  });
}

/** The organization's active tools with these UUIDs. */
export async function findTools(
  { db }: Pick<ConversationDeps, 'db'>,
  organizationId: number,
  toolUuids: readonly string[],
): Promise<ToolRow[]> {
  const uuids = [...new Set(toolUuids.filter(isUuid))];
  return uuids.length === 0
    ? []
    : await findRows(db, tools, { organizationId, uuid: In(uuids), state: 'active' });
}

/** The same from rows that were already read. */
export function offerTools({
  scene,
  nodeId,
  rows,
}: {
  scene: Scene;
  nodeId: string;
  rows: readonly ToolRow[];
}): OfferedTool[] {
  const uuids = nodeIn(scene, nodeId).toolUuids;
  const ofNode = rows
    .filter(({ uuid }) => uuids.includes(uuid))
    .toSorted((left, right) => uuids.indexOf(left.uuid) - uuids.indexOf(right.uuid))
    .flatMap(({ uuid, name, description, definition }) => {
      const parameters = toolParameters(definition);
      return parameters === null
        ? []
        : [
            {
              toolUuid: uuid,
              name: toolFunctionName({ uuid, name }),
              description: description ?? toolMeaning(definition) ?? name,
              parameters,
              definition,
            },
          ];
    });
  // guarantee: campaign-call-offers-opt-out
  const known = [...ofNode, ...builtIn(scene, ofNode)];

  // Edges keep their names, even when a tool was renamed to the same name after the graph was checked.
  const edges = edgeTools(scene.definition, nodeId).map(({ name }) => name);
  const names = offerableNames([...edges, ...known.map(({ name }) => name)]).slice(edges.length);
  return known.map((tool, index) => ({ ...tool, name: names[index] ?? tool.name }));
}

/** No built-in opt-out for a node that has an opt-out tool of its own. */
function builtIn({ offersOptOut }: Scene, ofNode: readonly OfferedTool[]): OfferedTool[] {
  if (!offersOptOut || ofNode.some(({ definition }) => nativeAction(definition) === 'do_not_call')) return [];
  const definition = { ...builtInOptOut.definition };
  return [
    {
      ...builtInOptOut,
      definition,
      description: toolMeaning(definition) ?? builtInOptOut.name,
      parameters: toolParameters(definition) ?? {},
    },
  ];
}

/** Whether one of these tools ends the call when it is called. */
export const endsCall = (offered: readonly OfferedTool[], calls: readonly ToolCallRequest[]): boolean =>
  calls.some(({ toolUuid }) =>
    offered.some((tool) => tool.toolUuid === toolUuid && own(tool.definition, 'type') === 'end_call'),
  );

/** The lines to speak when these tools are called, rendered like a greeting (contract 7.4). */
export function toolMessages(
  scene: Scene,
  offered: readonly OfferedTool[],
  calls: readonly ToolCallRequest[],
): WrittenLine[] {
  return calls.flatMap(({ toolUuid }) => {
    const definition = offered.find((tool) => tool.toolUuid === toolUuid)?.definition;
    // Only phone calls can be transferred, so no other call announces a transfer.
    const isSpoken =
      definition !== undefined &&
      (scene.call.channel === 'phone' || own(definition, 'type') !== 'transfer_call');
    const message = isSpoken ? spokenWith(definition) : null;
    const line = message === null ? null : filled(scene, message);
    return line === null ? [] : [line];
  });
}
