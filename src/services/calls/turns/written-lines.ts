import type { StepEntry } from '../../../domain/call/turn.ts';
import { InvariantError } from '../../../domain/errors.ts';
import { own, ownObject, ownText } from '../../../domain/graph/definition.ts';
import { edgeOf } from '../../../domain/graph/edges.ts';
import { renderTemplate } from '../../../domain/rendering/render.ts';
import type { WrittenLine } from '../../../domain/speech/written-line.ts';
import { nodeIn, renderingOf, type Scene } from './scene.ts';

export type { WrittenLine } from '../../../domain/speech/written-line.ts';

interface Place {
  nodeId: string;
  entry: StepEntry;
}

/**
 * The greeting that replaces the model's first reply, or null (contract 2.3, 5.3). `canPlay`: the channel has
 * sound.
 */
export function greetingOf(
  scene: Scene,
  { nodeId, entry }: Place,
  { canPlay }: { canPlay: boolean },
): WrittenLine | null {
  if (entry.kind !== 'opening') return null;
  const override = overriddenGreeting(scene);
  return filled(
    scene,
    override === null || (override.kind === 'audio' && !canPlay) ? nodeIn(scene, nodeId).greeting : override,
  );
}

/** The `greeting_override` of the call (contract 5.3); a malformed one is ignored. */
function overriddenGreeting({ call }: Scene): WrittenLine | null {
  const override = ownObject(call.initialContext, 'greeting_override');
  const [text, recordingId] = [ownText(override, 'text'), ownText(override, 'recording_id') ?? ''];
  if (own(override, 'type') === 'text' && text !== undefined) return { kind: 'text', text };
  return own(override, 'type') === 'audio' && recordingId !== '' ? { kind: 'audio', recordingId } : null;
}

/** The line spoken while the conversation follows an edge, or null (contract 2.4). */
export function transitionSpeechOf(scene: Scene, { entry }: Place): WrittenLine | null {
  if (entry.kind !== 'edge') return null;
  const edge = edgeOf(scene.definition, entry.edgeId);
  if (edge === null) throw new InvariantError('The pinned version has no such edge');
  if (edge.transitionRecordingId !== null) return { kind: 'audio', recordingId: edge.transitionRecordingId };
  return edge.transitionSpeech === null ? null : filled(scene, { kind: 'text', text: edge.transitionSpeech });
}

/** Renders a line; null when the rendered text is empty. */
export function filled(scene: Scene, line: WrittenLine | null): WrittenLine | null {
  if (line?.kind !== 'text') return line;
  const text = renderTemplate(line.text, renderingOf(scene)).trim();
  return text === '' ? null : { kind: 'text', text };
}
