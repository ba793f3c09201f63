import { type Definition, edgesOf, nodesOf, type JsonObject, ownObject, ownText } from './definition.ts';
import { functionNameOf, offerableNames } from './function-name.ts';
import { isConversationKind } from './node-kinds.ts';

/** An edge out of a conversation node, with its defaults. */
export interface GraphEdge {
  /**
   * Unique in the graph: SDKs give two edges between the same nodes one id (contract 14.3), so later ones get
   * `#2`, `#3` ...
   */
  id: string;
  source: string;
  target: string;
  label: string;
  /**
   * The name of the function that the model sees; unique among the edges of one node, at most 64 characters.
   */
  functionName: string;
  condition: string;
  /** Spoken while following the edge; null when there is none. A template (contract 7.4). */
  transitionSpeech: string | null;
  /** Played instead on channels with sound; null when the edge has no recording. */
  transitionRecordingId: string | null;
}

/**
 * All edges between nodes of the conversation, in graph order. Edges to or from other nodes have no effect
 * and are left out.
 */
export function conversationEdges(definition: Definition): GraphEdge[] {
  const conversation = new Set(
    nodesOf(definition)
      .filter((node) => isConversationKind(ownText(node, 'type')))
      .map((node) => ownText(node, 'id')),
  );
  const edges = edgesOf(definition).filter(
    (edge) => conversation.has(ownText(edge, 'source')) && conversation.has(ownText(edge, 'target')),
  );
  const ids = uniqueIds(edges);
  return nameFunctions(edges.map((edge, index) => toEdge(edge, ids[index] ?? '')));
}

/** The edge with that id of the plan, or null. */
export function edgeOf(definition: Definition, edgeId: string): GraphEdge | null {
  return conversationEdges(definition).find((edge) => edge.id === edgeId) ?? null;
}

/** Edges by the node they leave, each group in graph order. */
export function groupBySource(edges: readonly GraphEdge[]): Map<string, GraphEdge[]> {
  const groups = new Map<string, GraphEdge[]>();
  for (const edge of edges) {
    const group = groups.get(edge.source);
    if (group === undefined) groups.set(edge.source, [edge]);
    else group.push(edge);
  }
  return groups;
}

function toEdge(edge: JsonObject, id: string): GraphEdge {
  const data = ownObject(edge, 'data');
  const label = ownText(data, 'label') ?? '';
  const speech = ownText(data, 'transition_speech') ?? '';
  const isRecorded = ownText(data, 'transition_speech_type') === 'audio';
  const recordingId = ownText(data, 'transition_speech_recording_id') ?? '';
  return {
    id,
    source: ownText(edge, 'source') ?? '',
    target: ownText(edge, 'target') ?? '',
    label,
    functionName: functionNameOf(label),
    condition: ownText(data, 'condition') ?? '',
    transitionSpeech: !isRecorded && speech.trim() !== '' ? speech : null,
    transitionRecordingId: isRecorded && recordingId !== '' ? recordingId : null,
  };
}

function uniqueIds(edges: readonly JsonObject[]): string[] {
  const taken = new Set(edges.map((edge) => ownText(edge, 'id') ?? ''));
  const given = new Set<string>();
  const counts = new Map<string, number>();
  return edges.map((edge) => {
    const id = ownText(edge, 'id') ?? '';
    let unique = id;
    while (given.has(unique) || (unique !== id && taken.has(unique))) {
      const count = (counts.get(id) ?? 1) + 1;
      counts.set(id, count);
      unique = `${id}#${count}`;
    }
    given.add(unique);
    return unique;
  });
}

function nameFunctions(edges: readonly GraphEdge[]): GraphEdge[] {
  const names = new Map<GraphEdge, string>();
  for (const siblings of groupBySource(edges).values()) {
    const offered = offerableNames(siblings.map((edge) => edge.functionName));
    siblings.forEach((edge, index) => names.set(edge, offered[index] ?? edge.functionName));
  }
  return edges.map((edge) => ({ ...edge, functionName: names.get(edge) ?? edge.functionName }));
}
