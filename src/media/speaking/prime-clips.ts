import { clausesOf } from '../../domain/speech/clauses-of.ts';
import { fixedLine, fixedLineNames } from '../../domain/speech/fixed-lines.ts';
import { nodesOf, ownText } from '../../domain/graph/definition.ts';
import { greetingOf, loadSeatedScene, type Scene } from '../../services/calls/index.ts';
import type { CallRef } from '../../services/kernel/index.ts';
import type { SpeakingDeps } from './ports.ts';

/** Rate of a phone call. A browser's call has no ringing time to use. */
const sampleRate = 8000;

/** Makes the sound of a call's greeting, clause by clause, and of the fixed lines, while the phone rings. */
export async function primeClips({
  deps,
  call,
  signal,
}: {
  deps: SpeakingDeps;
  call: CallRef;
  signal: AbortSignal;
}): Promise<void> {
  const scene = await loadSeatedScene({ deps: deps.conversation, input: call });
  const { voices, language } = await deps.voicesFor({
    organizationId: call.organizationId,
    settings: scene.settings,
  });
  const [first] = voices;
  if (first === undefined) return;
  const fixed = fixedLineNames.map((name) => fixedLine(name, language));
  // guarantee: opening-audio-ready-at-answer
  await first.clips.prime(
    [...greetingClauses(scene), ...fixed].map((text) => ({ voice: first.voice, sampleRate, text })),
    signal,
  );
}

function greetingClauses(scene: Scene): string[] {
  const start = nodesOf(scene.definition).find((node) => ownText(node, 'type') === 'startCall');
  const nodeId = start === undefined ? undefined : ownText(start, 'id');
  const greeting =
    nodeId === undefined
      ? null
      : greetingOf(scene, { nodeId, entry: { kind: 'opening' } }, { canPlay: true });
  return greeting?.kind === 'text' ? clausesOf(greeting.text) : [];
}
