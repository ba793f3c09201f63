import type { Line } from '../../domain/call/line.ts';
import type { Exchange } from '../../domain/call/tool-round.ts';
import type { SpeakStepInput } from '../../domain/call/voice.ts';
import { clausesOf } from '../../domain/speech/clauses-of.ts';
import { noteWaste, transitionSpeechOf } from '../../services/calls/index.ts';
import type { CallState } from './call-state.ts';
import { startReply } from './live-reply.ts';
import { OpenVoice } from './open-voice.ts';
import { questionOf } from './prompts.ts';
import { ReplyAhead, type ClaimedReply } from './reply-ahead.ts';
import { asExchanges, firstTimeouts } from './reply-maker.ts';
import { predictMove, predictTurn, Speculation, type PredictedStep } from './speculation.ts';
import { utteranceLine } from './step-parts.ts';
import type { StepRun } from './step-run.ts';

/**
 * Asks model and voice ahead for the next step, while the Workflow decides about it.
 *
 * The model is asked when the caller has most likely finished. The voice is asked only when they certainly
 * have: it bills characters, including those of wrong guesses, and is fast enough.
 */
export class Foresight {
  readonly speculation: Speculation;
  readonly #state: CallState;

  constructor(state: CallState) {
    this.#state = state;
    this.speculation = new Speculation({
      discard: (ahead) => this.#discard(ahead),
      claimed: (claimed) => this.#count('claimed', claimed),
    });
  }

  /**
   * Asks for the next turn at the same node. With `isSettled`, the words are final; a reply asked ahead for
   * nearly the same words answers them.
   */
  turn(run: StepRun, { text, at, isSettled }: { text: string; at: string; isSettled: boolean }): void {
    const said = utteranceLine({ text, at, nodeId: run.input.step.nodeId });
    const ahead = (isSettled ? this.speculation.settle([said]) : null) ?? this.#askTurn(run, said);
    if (isSettled) ahead.sound((clause) => this.#open(run, clause));
  }

  /**
   * Asks for the same turn at an edge's target. The current words will have been heard by then, or the edge
   * is not followed.
   */
  move(run: StepRun, edgeId: string): void {
    const predicted = predictMove(this.#state.live.scene, run.input, { edgeId, lines: run.madeLines });
    if (predicted === null) return;
    const written = this.#writtenLine(predicted);
    const ahead = this.#ask(predicted, [...this.#before(run.input, predicted), ...asExchanges(written)]);
    ahead.sound((clause) => this.#open(run, clause), written.flatMap(({ text }) => clausesOf(text))[0]);
  }

  #askTurn(run: StepRun, said: Line): ReplyAhead {
    const predicted = predictTurn(this.#state.live.scene, run.input, said);
    return this.#ask(predicted, [
      ...this.#state.transcript.before(run.input),
      ...asExchanges([...run.heardLines, said]),
    ]);
  }

  #before({ toolRounds }: SpeakStepInput, { step, pendingLines }: PredictedStep): Exchange[] {
    return this.#state.transcript.before({
      step,
      pendingLines,
      ...(toolRounds === undefined ? {} : { toolRounds }),
    });
  }

  /** The transition speech of the edge, if it is text. */
  #writtenLine({ step }: PredictedStep): Line[] {
    const speech = transitionSpeechOf(this.#state.live.scene, step);
    return speech?.kind === 'text'
      ? [{ speaker: 'assistant', text: speech.text, at: '', nodeId: step.nodeId, kind: 'transition_speech' }]
      : [];
  }

  #ask(predicted: PredictedStep, exchanges: Exchange[]): ReplyAhead {
    const { deps, live, notes } = this.#state;
    const ask = questionOf({ deps: deps.conversation, live, notes, step: predicted.step, exchanges });
    const ahead = new ReplyAhead(startReply({ ask, timeouts: firstTimeouts, nowMs: deps.nowMs }));
    this.speculation.start(predicted, ahead);
    return ahead;
  }

  /** Null when the clause has sound already, or when no voice is left. */
  #open(run: StepRun, clause: string): OpenVoice | null {
    const { deps, leg, voices } = this.#state;
    const voice = voices.voices[run.voice];
    return voice === undefined || this.#state.sounds.clip(clause) !== null
      ? null
      : new OpenVoice({ voice, clause, sampleRate: leg.sampleRate, nowMs: deps.nowMs });
  }

  #count(ahead: 'claimed' | 'discarded', { voice }: ClaimedReply): void {
    const { metrics } = this.#state.deps;
    metrics.count('parlance_replies_ahead_total', { ahead });
    if (voice !== null) metrics.count('parlance_voices_ahead_total', { ahead });
  }

  #discard(ahead: ReplyAhead): void {
    const broken = ahead.abort();
    this.#count('discarded', broken);
    void this.#noteWaste(broken);
  }

  /** Records the usage of a discarded reply: no step will. */
  async #noteWaste({ reply, voice }: ClaimedReply): Promise<void> {
    const outcome = await reply.outcome;
    const { id: callId, organizationId } = this.#state.live.scene.call;
    const usages = outcome.kind === 'reply' ? [outcome.reply.usage] : [];
    await noteWaste(
      this.#state.deps.conversation,
      { callId, organizationId },
      usages,
      voice === null ? {} : { [voice.voice.service]: voice.characters },
    );
  }
}
