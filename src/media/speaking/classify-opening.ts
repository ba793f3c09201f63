import { judgeOpening, openingQuestion, readOpeningAnswer } from '../../domain/turn-taking/voicemail.ts';
import { askOnce, noteWaste, type LiveScene } from '../../services/calls/index.ts';
import { openingLlm } from '../../services/models/index.ts';
import type { SpeakingDeps } from './ports.ts';

/** Maximum wait for the model; the state machine stops waiting then, too. */
const wholeMs = 4000;

/**
 * Decides whether the first words came from an answering machine (contract 3.2): by rules, and if they are
 * inconclusive, by a model. That is the model of the voicemail settings, or else the agent's own. In doubt, a
 * person answered.
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
    // The request belongs to no turn, so its usage is recorded separately.
    void noteWaste(deps, ref, [usage]);
    return readOpeningAnswer(answer) === 'machine';
  } catch (error) {
    if (!signal.aborted)
      deps.log.warn(
        { err: error, ...ref },
        'The model did not classify the opening: the far end counts as a person',
      );
    return false;
  }
}
