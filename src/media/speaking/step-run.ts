import type { Line } from '../../domain/call/line.ts';
import type { AfterSpeaking, SpeakStepInput, SpokenStep } from '../../domain/call/voice.ts';
import type { ProviderError } from '../../domain/errors.ts';
import { firstPosition, type JournaledDecision } from '../../domain/speech/journal.ts';
import { planResume } from '../../domain/speech/resume-plan.ts';
import { nodeIn, type ModelReply } from '../../services/calls/index.ts';
import { reportReply } from './call-report.ts';
import type { CallState, StepCall } from './call-state.ts';
import { stepJournal, type StepJournal } from './journal-writer.ts';
import type { OpenVoice } from './open-voice.ts';
import type { ClaimedReply } from './reply-ahead.ts';
import { messageOf } from './reply-maker.ts';
import type { StepClock } from './step-clock.ts';
import { noDecision, placeOf, type Decision } from './step-parts.ts';
import { StepWords } from './step-words.ts';
import { Take } from './take.ts';

/**
 * Runs one step: speaks and listens.
 *
 *  - R1. The answer contains what was heard, by the playout's clock.
 *  - R2. An interruption makes the model's decision void: the edge is not followed, and no tool runs. If the
 *    interruption was not speech, such as a cough, the step says the unheard part again.
 *  - R3. A step ends once: by the caller, at the end of its words if no one listens, or by the end of the
 *    line.
 *  - R4. The journal is written during the step; nothing waits for it.
 */
export class StepRun {
  readonly input: SpeakStepInput;
  readonly #call: StepCall;
  readonly #state: CallState;
  readonly #begunAt: string;
  readonly #clock: StepClock;
  readonly #journal: StepJournal;
  readonly #words: StepWords;
  readonly #takes: Take[] = [];
  readonly #ended = Promise.withResolvers<AfterSpeaking>();
  #again = Promise.withResolvers<void>();
  #decision: Decision = noDecision;
  /** The decision, once all words exist. */
  #settled: Decision | null = null;
  #wasInterrupted = false;
  #isOver = false;
  #isListening = false;

  constructor(call: StepCall, input: SpeakStepInput) {
    const { state } = call;
    this.#call = call;
    this.#state = state;
    this.input = input;
    this.#begunAt = state.deps.clock.now().toISOString();
    this.#clock = state.times.stepClock();
    this.#journal = stepJournal({
      writer: state.deps.journal,
      place: placeOf(input),
      generation: input.generation,
    });
    this.#words = new StepWords(state, input);
  }

  /** Speaks, listens, and returns the outcome. */
  async run(claimed: ClaimedReply | null): Promise<SpokenStep> {
    const { allowInterrupt, name } = nodeIn(this.#state.live.scene, this.input.step.nodeId);
    const { turnIndex, nodeId } = this.input.step;
    this.#state.screen.enter({ turn: turnIndex, nodeId, nodeName: name, allowInterrupt });
    return this.#close(await Promise.race([this.#ended.promise, this.#sayAll(claimed)]));
  }

  /** Ends the step before it begins. */
  endAtOnce(after: AfterSpeaking): SpokenStep {
    return this.#close(after);
  }

  /** The caller takes the floor: drops everything that was not heard. */
  interrupt(): void {
    if (this.#isOver) return;
    this.#clock.mark('interrupted');
    this.#wasInterrupted = true;
    this.#takes.at(-1)?.cut();
    this.#decision = withoutConsequences(this.#decision);
    this.#call.foresight.speculation.drop();
  }

  /** The interruption was not speech: continues the step. */
  goOn(): void {
    if (this.#wasInterrupted && this.input.listens) this.#again.resolve();
  }

  end(after: AfterSpeaking): void {
    if (after.kind === 'utterance')
      this.#journal.note({
        kind: 'utterance',
        position: this.#firstPosition,
        text: after.text,
        startedAt: after.startedAt,
        endedAt: after.endedAt,
      });
    this.#ended.resolve(after);
  }

  /** Ends the step in favor of a supervisor. */
  yield(): void {
    this.end({ kind: 'intervened', wasSpeaking: !this.#isListening });
  }

  /** Resolves when `end` was called. */
  get whenEnded(): Promise<unknown> {
    return this.#ended.promise;
  }

  /** Waits for the caller: ends the step at once if the recognizer gave up. */
  listen(): void {
    if (this.#state.ends.stall !== null) this.end(this.#state.ends.stall);
    this.#call.leaving.quiet();
  }

  /** The agent has finished and waits for the caller. */
  get isListening(): boolean {
    return this.#isListening && !this.#isOver;
  }

  /** Index of the current voice; equal to the number of voices when none is left. */
  get voice(): number {
    return this.#takes.at(-1)?.speech.voice ?? this.#state.sounds.voice;
  }

  get heardLines(): Line[] {
    return [
      ...this.#words.carried,
      ...this.#takes.flatMap(({ player }) => player.lines(this.input.step.nodeId)),
    ];
  }

  /** As `heardLines`, if everything that was made is heard. */
  get madeLines(): Line[] {
    const [last] = this.#takes.slice(-1);
    const earlier = this.#takes.slice(0, -1).flatMap(({ player }) => player.lines(this.input.step.nodeId));
    return [...this.#words.carried, ...earlier, ...(last?.player.madeLines(this.input.step.nodeId) ?? [])];
  }

  get #firstPosition(): number {
    return firstPosition(this.input.pendingLines.length);
  }

  async #sayAll(claimed: ClaimedReply | null): Promise<AfterSpeaking> {
    let take = this.#begin(claimed?.voice ?? null);
    const { decision, after } = await this.#words.say(take, claimed?.reply ?? null);
    if (after !== null) {
      this.#wasInterrupted = this.#words.wereCutOff;
      return after;
    }
    this.#decide(take, decision);
    for (;;) {
      const end = await this.#finish(take);
      if (end !== null) return end;
      this.#isListening = true;
      this.listen();
      await this.#again.promise;
      take = await this.#sayAgain(take);
    }
  }

  #begin(ahead: OpenVoice | null): Take {
    const { allowInterrupt } = nodeIn(this.#state.live.scene, this.input.step.nodeId);
    const from = this.#takes.at(-1)?.player.nextPosition ?? this.#firstPosition;
    const take = new Take({
      call: this.#call,
      input: this.input,
      journal: this.#journal,
      clock: this.#clock,
      firstPosition: from,
      ahead,
      onReply: (reply) => this.#replied(reply),
    });
    this.#takes.push(take);
    this.#call.driver.tell({
      kind: 'reply_began',
      allowInterrupt,
      isFirst: this.#state.isFirstReply(this.input),
      listens: this.input.listens,
    });
    return take;
  }

  /** Waits until everything is heard or cut off. Returns how the step ends if it does not listen. */
  async #finish(take: Take): Promise<AfterSpeaking | null> {
    const spoken = await take.speech.finish();
    if (spoken.kind === 'failed' && !take.isCut) this.#sayTrouble(take, spoken.error);
    const { chosenEdge, toolCalls, fault } = this.#decision;
    const goesOn = !this.input.listens || chosenEdge !== null || toolCalls.length > 0 || fault !== null;
    if (!goesOn && !take.isCut) this.#call.driver.tell({ kind: 'reply_complete' });
    await take.player.whenSilent();
    return goesOn && !(take.isCut && this.input.listens) ? (fault ?? { kind: 'spoken' }) : null;
  }

  /** Says again what was cut off without reason, from the beginning of the clause. */
  async #sayAgain(cutOff: Take): Promise<Take> {
    this.#again = Promise.withResolvers();
    this.#isListening = false;
    this.#wasInterrupted = false;
    const entries = cutOff.player.entries.map((entry) =>
      entry.heardText === null ? entry : { ...entry, playedAt: null, heardText: null },
    );
    const settled = this.#settled;
    const take = this.#begin(null);
    const left = planResume(settled === null ? entries : [...entries, this.#entryOf(settled)]);
    const decision = await this.#words.sayLeft(take, left);
    this.#decide(take, settled === null ? decision : { ...settled, usage: this.#decision.usage });
    return take;
  }

  /** All words exist: asks ahead for the next step while they are still playing. */
  #decide(take: Take, decision: Decision): void {
    if (take.isCut) {
      this.#decision = withoutConsequences({ ...decision, usage: decision.usage ?? this.#decision.usage });
      return;
    }
    this.#decision = this.#orStalled(take, { ...decision, usage: decision.usage ?? this.#decision.usage });
    this.#note(this.#decision);
    const { chosenEdge, toolCalls, fault } = this.#decision;
    if (chosenEdge !== null && toolCalls.length === 0 && fault === null)
      this.#call.foresight.move(this, chosenEdge);
  }

  /** If the recognizer gave up, tells the caller so and ends the step. */
  #orStalled({ maker }: Take, decision: Decision): Decision {
    const { chosenEdge, toolCalls, fault } = decision;
    if (
      this.#state.ends.stall === null ||
      !this.input.listens ||
      chosenEdge !== null ||
      toolCalls.length > 0 ||
      fault !== null
    )
      return decision;
    maker.sayFixed('cannot_hear');
    return { ...decision, fault: this.#state.ends.stall };
  }

  /** No voice is left: plays a clip that was made before, if there is one. */
  #sayTrouble({ player }: Take, error: ProviderError): void {
    this.#decision = {
      ...withoutConsequences(this.#decision),
      fault: { kind: 'fault', stage: 'tts', message: messageOf(error) },
    };
    const line = this.#state.sounds.anyClip(['trouble', 'one_moment']);
    if (line !== null)
      player.feed(player.add({ text: line.text, lineKind: 'reply', isFiller: true }), line.samples, true);
  }

  #replied(reply: ModelReply): void {
    const { chosenEdge, toolCalls, usage, timings } = reply;
    this.#clock.model = timings.model;
    this.#decision = { ...this.#decision, usage };
    reportReply(this.#state, reply);
    if (!this.#wasInterrupted) this.#note({ chosenEdge, toolCalls, usage, fault: null });
  }

  #note(decision: Decision): void {
    this.#settled = decision;
    this.#journal.note(this.#entryOf(decision));
  }

  #entryOf({ chosenEdge, toolCalls, usage, fault }: Decision): JournaledDecision {
    return { kind: 'decision', position: this.#firstPosition, data: { chosenEdge, toolCalls, usage, fault } };
  }

  #close(after: AfterSpeaking): SpokenStep {
    for (const take of this.#takes) take.cut();
    this.#isOver = true;
    const lines = this.heardLines;
    const goesOn = after.kind === 'spoken' || after.kind === 'fault';
    const { chosenEdge, toolCalls, usage } = goesOn ? this.#decision : withoutConsequences(this.#decision);
    const { allowInterrupt } = nodeIn(this.#state.live.scene, this.input.step.nodeId);
    return {
      lines,
      chosenEdge,
      ...(toolCalls.length === 0 ? {} : { toolCalls }),
      usage: { llm: usage, tts: this.#characters, stt: this.#recognizerSeconds() },
      timings: this.#clock.timings(),
      begunAt: this.#begunAt,
      ...(allowInterrupt ? { allowInterrupt: true as const } : {}),
      wasInterrupted: this.#wasInterrupted,
      next: after,
    };
  }

  #recognizerSeconds(): Record<string, number> {
    const seconds = this.#call.hearing.takeSeconds();
    return seconds === 0 ? {} : { [this.#state.voices.sttService]: Math.round(seconds * 100) / 100 };
  }

  get #characters(): Record<string, number> {
    const sums: Record<string, number> = {};
    for (const { speech } of this.#takes)
      for (const [service, count] of Object.entries(speech.characters))
        sums[service] = (sums[service] ?? 0) + count;
    return sums;
  }
}

function withoutConsequences(decision: Decision): Decision {
  return { ...decision, chosenEdge: null, toolCalls: [] };
}
