import type { Line } from '../../domain/call/line.ts';
import type { Exchange } from '../../domain/call/tool-round.ts';
import type { SpeakStepInput } from '../../domain/call/voice.ts';
import { noteWaste, transitionSpeechOf } from '../../services/conversation/index.ts';
import type { CallState } from './call-state.ts';
import { startReply, type LiveReply } from './live-reply.ts';
import { questionOf } from './prompts.ts';
import { asExchanges, firstTimeouts } from './reply-maker.ts';
import { predictMove, predictTurn, Speculation, type PredictedStep } from './speculation.ts';
import { utteranceLine } from './step-parts.ts';
import type { StepRun } from './step-run.ts';

/** Asks the model for steps that nobody has asked for yet: while the Workflow decides, the answer is on its way. */
export class Foresight {
  readonly speculation: Speculation;
  readonly #state: Omit<CallState, 'speculation'>;

  constructor(state: Omit<CallState, 'speculation'>) {
    this.#state = state;
    this.speculation = new Speculation({ discard: (reply) => this.#discard(reply), claimed: () => this.#count('claimed') });
  }

  /** The next turn, at the same node. `isSettled`: these are the caller's words; what was asked before with nearly the same ones answers them. */
  turn(run: StepRun, { text, at, isSettled }: { text: string; at: string; isSettled: boolean }): void {
    const { input } = run;
    const said = utteranceLine({ text, at, nodeId: input.step.nodeId });
    if (isSettled && this.speculation.settle([said])) return;
    const predicted = predictTurn(this.#state.live.scene, input, said);
    this.#ask(predicted, [...this.#state.transcript.before(input), ...asExchanges([...run.heardLines, said])]);
  }

  /** The same turn at an edge's target. What is being said will have been heard by then, or the edge is not followed. */
  move(run: StepRun, edgeId: string): void {
    const predicted = predictMove(this.#state.live.scene, run.input, { edgeId, lines: run.madeLines });
    if (predicted !== null) this.#ask(predicted, this.#exchangesOf(run.input, predicted));
  }

  #exchangesOf({ toolRounds }: SpeakStepInput, { step, pendingLines }: PredictedStep): Exchange[] {
    const speech = transitionSpeechOf(this.#state.live.scene, step);
    const line: Line[] = speech?.kind === 'text' ? [{ speaker: 'assistant', text: speech.text, at: '', nodeId: step.nodeId, kind: 'transition_speech' }] : [];
    return [...this.#state.transcript.before({ step, pendingLines, ...(toolRounds === undefined ? {} : { toolRounds }) }), ...asExchanges(line)];
  }

  #ask(predicted: PredictedStep, exchanges: Exchange[]): void {
    const { deps, live } = this.#state;
    const ask = questionOf({ deps: deps.conversation, live, step: predicted.step, exchanges });
    this.speculation.start(predicted, startReply({ ask, timeouts: firstTimeouts, nowMs: deps.nowMs }));
  }

  #count(ahead: 'claimed' | 'discarded'): void {
    this.#state.deps.metrics.count('parlance_replies_ahead_total', { ahead });
  }

  #discard(reply: LiveReply): void {
    this.#count('discarded');
    reply.abort();
    void this.#noteWaste(reply);
  }

  /** An answer that was broken off is noted by who asked for it. */
  async #noteWaste(reply: LiveReply): Promise<void> {
    const outcome = await reply.outcome;
    const { id: callId, organizationId } = this.#state.live.scene.call;
    if (outcome.kind === 'reply') await noteWaste(this.#state.deps.conversation, { callId, organizationId }, [outcome.reply.usage]);
  }
}
