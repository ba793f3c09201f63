import { judgeOpening, openingQuestion, readOpeningAnswer } from '../../domain/turn-taking/voicemail.ts';
import { askOnce, noteWaste, type LiveScene } from '../../services/calls/index.ts';
import { openingLlm } from '../../services/models/index.ts';
import type { SpeakingDeps } from './ports.ts';

/** The machine takes the far end for a person when this has not answered by then. */
const wholeMs = 4000;

/**
 * Whether the first words came from an answering machine (contract 3.2): by rules, and by a model where they
 * do not tell: the one that the settings bring for it, else the agent's own. In doubt it is a person.
 */
export async function classifyOpening({
  deps: { conversation: deps },
  live,
  text,
  signal,
}: {
  deps: SpeakingDeps;
  live: LiveScene;
  text: string;
  signal: AbortSignal;
}): Promise<boolean> {
  const { scene } = live;
  const verdict = judgeOpening(text);
  if (verdict !== 'unknown') return verdict === 'machine';
  const ref = { callId: scene.call.id, organizationId: scene.call.organizationId };
  const { systemPrompt } = scene.settings.voicemailDetection;
  const question = openingQuestion({ text, systemPrompt });
  try {
    const by = openingLlm({
      deps,
      organizationId: scene.call.organizationId,
      agentSettings: scene.settings,
      by: live.by,
    });
    const { text: answer, usage } = await askOnce({
      deps,
      by,
      ref,
      request: { ...question, tools: [], timeouts: { wholeMs } },
      signal,
      isLive: true,
    });
    // It belongs to no turn; what stands beside turns is counted from there.
    void noteWaste(deps, ref, [usage]);
    return readOpeningAnswer(answer) === 'machine';
  } catch (error) {
    if (!signal.aborted)
      deps.log.warn(
        { err: error, ...ref },
        'The model did not tell a machine from a person: it is taken for a person',
      );
    return false;
  }
}
