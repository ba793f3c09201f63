import type { Line } from '../../domain/call/line.ts';
import type { AfterSpeaking, SpeakStepInput, SpokenStep } from '../../domain/call/voice.ts';
import type { ProviderError } from '../../domain/errors.ts';
import { firstPosition, type JournaledDecision } from '../../domain/speech/journal.ts';
import { planResume, type ResumePlan } from '../../domain/speech/resume-plan.ts';
import { greetingOf, nodeIn, readJournal, toolMessages, transitionSpeechOf, type ModelReply } from '../../services/conversation/index.ts';
import type { CallState } from './call-state.ts';
import { readDecision } from './decision.ts';
import { stepJournal, type StepJournal } from './journal-writer.ts';
import type { LiveReply } from './live-reply.ts';
import { Mouth, type SpokenClause } from './mouth.ts';
import { continuationNote, noteFor, questionOf, toolsOf } from './prompts.ts';
import { asExchanges, messageOf, ReplyMaker } from './reply-maker.ts';
import { Speech } from './speech.ts';
import type { StepClock } from './step-clock.ts';
import { goodbyes, noDecision, placeOf, type Decision } from './step-parts.ts';

/**
 * One step of a turn, said and listened to.
 *
 * R1. What is in the answer is what was heard, by the playout's clock.
 * R2. A barge-in makes void what the model decided: the edge is not followed, no tool runs.
 * R3. It ends once: by what the caller does, by the end of what is to be said when nobody listens, or by the end of the line.
 * R4. What it does is journaled while it happens; nothing waits for that.
 */
export class StepRun {
  readonly input: SpeakStepInput;
  readonly #state: CallState;
  readonly #begunAt: string;
  readonly #clock: StepClock;
  readonly #journal: StepJournal;
  readonly #mouth: Mouth;
  readonly #speech: Speech;
  readonly #maker: ReplyMaker;
  readonly #cutting = new AbortController();
  readonly #ended = Promise.withResolvers<AfterSpeaking>();
  #carried: Line[] = [];
  #decision: Decision = noDecision;
  #wasInterrupted = false;
  #isOver = false;
  #isListening = false;

  constructor(state: CallState, input: SpeakStepInput) {
    const { deps, leg, live, voices } = state;
    this.#state = state;
    this.input = input;
    this.#begunAt = deps.clock.now().toISOString();
    this.#clock = state.stepClock();
    this.#journal = stepJournal({ writer: deps.journal, place: placeOf(input), generation: input.generation });
    this.#mouth = new Mouth({ leg, clocks: deps, journal: this.#journal, pace: state.pace, nextId: state.nextClauseId, firstPosition: firstPosition(input.pendingLines.length), listener: this.#listener() });
    this.#speech = new Speech({
      mouth: this.#mouth,
      voices: voices.voices,
      firstVoice: state.voice,
      sampleRate: leg.sampleRate,
      cached: (text) => state.clip(text),
      onSent: () => this.#clock.mark('ttsSent'),
      onFirstSound: () => this.#clock.mark('ttsFirstByte'),
      onFault: (error) => this.#failed('tts', error),
    });
    const { scene } = live;
    this.#maker = new ReplyMaker({
      speech: this.#speech,
      language: voices.language,
      nodeId: input.step.nodeId,
      clock: this.#clock,
      nowMs: deps.nowMs,
      signal: this.#cutting.signal,
      ask: ({ said, note }) => questionOf({ deps: deps.conversation, live, step: input.step, exchanges: [...state.transcript.before(input), ...asExchanges(said)], note }),
      messagesFor: (calls) => toolMessages(scene, toolsOf(live, input.step), calls),
      findRecording: (recordingId) => deps.findRecordedLine({ organizationId: input.organizationId, recordingId, sampleRate: leg.sampleRate }),
      onReply: (reply) => this.#replied(reply),
      onFault: (error) => this.#failed('llm', error),
    });
  }

  /** Says it, listens, and answers what came of it. */
  async run(claimed: LiveReply | null): Promise<SpokenStep> {
    const { allowInterrupt, name } = nodeIn(this.#state.live.scene, this.input.step.nodeId);
    const { turnIndex, nodeId } = this.input.step;
    this.#state.screen.enter({ turn: turnIndex, nodeId, nodeName: name, allowInterrupt });
    this.#state.driver.tell({ kind: 'reply_began', allowInterrupt, isFirst: this.#state.isFirstReply(this.input), listens: this.input.listens });
    const after = await Promise.race([this.#ended.promise, this.#sayAll(claimed)]);
    return this.#close(after);
  }

  /** The caller has the floor: everything that was not heard is gone. */
  interrupt(): void {
    if (this.#isOver) return;
    this.#clock.mark('interrupted');
    this.#mouth.cut();
    this.#wasInterrupted = true;
    this.#decision = { ...this.#decision, chosenEdge: null, toolCalls: [] };
    this.#cutting.abort();
    this.#speech.abort();
    this.#state.speculation.drop();
  }

  end(after: AfterSpeaking): void {
    if (after.kind === 'utterance') this.#journal.note({ kind: 'utterance', position: firstPosition(this.input.pendingLines.length), text: after.text, startedAt: after.startedAt, endedAt: after.endedAt });
    this.#ended.resolve(after);
  }

  /** Everything was said and somebody listens. */
  get isListening(): boolean {
    return this.#isListening && !this.#isOver;
  }

  /** The caller's words would be the answer to what was said: what was heard so far stays as it is. */
  get heardLines(): Line[] {
    return [...this.#carried, ...this.#mouth.lines(this.input.step.nodeId)];
  }

  /** The same if nothing cuts it off. */
  get madeLines(): Line[] {
    return [...this.#carried, ...this.#mouth.madeLines(this.input.step.nodeId)];
  }

  /** It is over before anything was said. */
  endAtOnce(after: AfterSpeaking): SpokenStep {
    return this.#close(after);
  }

  async #sayAll(claimed: LiveReply | null): Promise<AfterSpeaking> {
    const after = await this.#make(claimed);
    if (after !== null) return after;
    this.#tellDeafness();
    this.#settled();
    const spoken = await this.#speech.finish();
    if (spoken.kind === 'failed' && !this.#cutting.signal.aborted) await this.#sayTrouble(spoken.error);
    const { chosenEdge, toolCalls, fault } = this.#decision;
    const goesOn = !this.input.listens || chosenEdge !== null || toolCalls.length > 0 || fault !== null;
    if (!goesOn && !this.#wasInterrupted) this.#state.driver.tell({ kind: 'reply_complete' });
    await this.#mouth.whenSilent();
    if (goesOn && !(this.#wasInterrupted && this.input.listens)) return fault ?? { kind: 'spoken' };
    this.#isListening = true;
    this.#state.listening(this);
    return await this.#ended.promise;
  }

  /** Nobody would hear the caller's answer: they are told, and the step ends there. */
  #tellDeafness(): void {
    const { chosenEdge, toolCalls, fault } = this.#decision;
    if (this.#state.deafness === null || !this.input.listens || this.#wasInterrupted || chosenEdge !== null || toolCalls.length > 0 || fault !== null) return;
    this.#maker.sayFixed('cannot_hear');
    this.#decision = { ...this.#decision, fault: this.#state.deafness };
  }

  /** All words are there. What follows from them is foreseen now, while they are still being said. */
  #settled(): void {
    if (this.#wasInterrupted) return;
    this.#note(this.#decision);
    const { chosenEdge, toolCalls, fault } = this.#decision;
    if (chosenEdge !== null && toolCalls.length === 0 && fault === null) this.#state.foreseeMove(this, chosenEdge);
  }

  /** The words of the step. Answers how it ends when that is known already. */
  async #make(claimed: LiveReply | null): Promise<AfterSpeaking | null> {
    const { say, step } = this.input;
    switch (say.kind) {
      case 'reply':
        this.#decision = await this.#sayReply(claimed);
        return null;
      case 'check_in':
        this.#decision = await this.#maker.sayModels({ note: noteFor('check_in', step.entry), fallback: 'check_in' });
        return null;
      case 'voicemail_message':
        this.#decision = await this.#maker.sayModels({ note: noteFor('voicemail_message', step.entry), fallback: 'voicemail' });
        return null;
      case 'goodbye':
        this.#maker.sayFixed(goodbyes[say.reason], 'closing', { isAside: false });
        return null;
      case 'line':
        this.#maker.say(say.text, 'reply');
        return null;
      case 'resume':
        return await this.#resume(say.inOrder === true);
    }
  }

  async #sayReply(claimed: LiveReply | null): Promise<Decision> {
    const { scene } = this.#state.live;
    const { step } = this.input;
    const greeting = greetingOf(scene, step, { canPlay: true });
    if (greeting !== null && (await this.#maker.sayWritten(greeting, 'greeting'))) return noDecision;
    const speech = transitionSpeechOf(scene, step);
    if (speech !== null) await this.#maker.sayWritten(speech, 'transition_speech');
    const said: Line[] = speech?.kind === 'text' ? [this.#line(speech.text, 'transition_speech')] : [];
    return await this.#maker.sayModels({ claimed, note: noteFor('reply', step.entry), said });
  }

  /** Goes on with what another host began. */
  async #resume(inOrder: boolean): Promise<AfterSpeaking | null> {
    const plan = await this.#readPlan();
    if (plan === null) {
      this.#maker.sayFixed('repeat_please');
      return null;
    }
    this.#carried = plan.heard.map(({ kind, text, at }) => ({ ...this.#line(text, kind), at }));
    this.#wasInterrupted = plan.wasInterrupted;
    this.#decision = plan.decision === null ? noDecision : readDecision(plan.decision);
    if (plan.utterance !== null) return { kind: 'utterance', text: plan.utterance.text, startedAt: plan.utterance.startedAt, endedAt: plan.utterance.endedAt };
    await this.#sayRest(plan, inOrder);
    this.#wasInterrupted = false;
    return null;
  }

  async #sayRest(plan: ResumePlan, inOrder: boolean): Promise<void> {
    const { entry } = this.input.step;
    if (plan.wasInterrupted || (plan.decision !== null && plan.unheard.length === 0)) {
      const hasMore = this.#decision.chosenEdge !== null || this.#decision.toolCalls.length > 0 || !this.input.listens;
      if (!hasMore && !inOrder) this.#maker.sayFixed('repeat_please');
      return;
    }
    if (!inOrder && !(plan.isUntouched && entry.kind === 'opening')) this.#maker.sayFixed('recovery');
    for (const { text, lineKind, position, recordingId } of plan.unheard) {
      if (recordingId !== null) await this.#maker.sayWritten({ kind: 'audio', recordingId }, lineKind);
      else if (text.trim() !== '') this.#speech.say({ text, lineKind, position });
    }
    if (plan.decision !== null) return;
    this.#decision = plan.madeLines.length === 0 ? await this.#sayAfresh() : await this.#continue(plan);
  }

  /** Nothing of it was made. */
  async #sayAfresh(): Promise<Decision> {
    if (this.input.step.entry.kind !== 'closing') return await this.#sayReply(null);
    this.#maker.sayFixed('goodbye_fault', 'closing', { isAside: false });
    return noDecision;
  }

  async #continue(plan: ResumePlan): Promise<Decision> {
    const said = plan.madeLines.map(({ kind, text }) => this.#line(text, kind));
    return await this.#maker.sayModels({ said, note: said.some(({ kind }) => kind === 'reply') ? continuationNote : noteFor('resume', this.input.step.entry) });
  }

  async #readPlan(): Promise<ResumePlan | null> {
    const { deps } = this.#state;
    try {
      return planResume(await readJournal({ db: deps.conversation.db, place: placeOf(this.input), generation: this.input.generation, from: firstPosition(this.input.pendingLines.length) }));
    } catch (error) {
      deps.log.warn({ err: error, callId: this.input.callId }, 'The journal of a call that was lost cannot be read');
      return null;
    }
  }

  /** No voice is left for what was to be said: something that was made before, if there is anything. */
  async #sayTrouble(error: ProviderError): Promise<void> {
    this.#decision = { ...noDecision, usage: this.#decision.usage, fault: { kind: 'fault', stage: 'tts', message: messageOf(error) } };
    const line = this.#state.anyClip(['trouble', 'one_moment']);
    if (line === null) return;
    const clause = this.#mouth.add({ text: line.text, lineKind: 'reply', isAside: true });
    this.#mouth.feed(clause, line.samples, true);
  }

  #replied(reply: ModelReply): void {
    const { chosenEdge, toolCalls, usage, timings } = reply;
    if (timings.model !== undefined) this.#clock.model = timings.model;
    this.#decision = { ...this.#decision, usage };
    this.#state.replied(reply);
    if (!this.#wasInterrupted) this.#note({ chosenEdge, toolCalls, usage, fault: null });
  }

  #note({ chosenEdge, toolCalls, usage, fault }: Decision): void {
    const entry: JournaledDecision = { kind: 'decision', position: firstPosition(this.input.pendingLines.length), data: { chosenEdge, toolCalls, usage, fault } };
    this.#journal.note(entry);
  }

  #failed(stage: 'llm' | 'tts', error: unknown): void {
    this.#state.failed(stage, error);
  }

  #line(text: string, kind: Line['kind']): Line {
    return { speaker: 'assistant', text, at: this.#state.deps.clock.now().toISOString(), nodeId: this.input.step.nodeId, kind };
  }

  #close(after: AfterSpeaking): SpokenStep {
    this.#mouth.cut();
    this.#isOver = true;
    this.#cutting.abort();
    this.#speech.abort();
    this.#mouth.leave();
    const { step } = this.input;
    const lines = this.heardLines;
    const { chosenEdge, toolCalls, usage } = this.#decision;
    const goesOn = after.kind === 'spoken' || after.kind === 'fault';
    const answer: SpokenStep = {
      lines,
      chosenEdge: goesOn ? chosenEdge : null,
      usage: { llm: usage, tts: this.#speech.characters, stt: this.#state.takeHeardSeconds() },
      timings: this.#clock.timings(),
      begunAt: this.#begunAt,
      wasInterrupted: this.#wasInterrupted,
      next: after,
      ...(nodeIn(this.#state.live.scene, step.nodeId).allowInterrupt ? { allowInterrupt: true as const } : {}),
    };
    this.#state.closed(this, { lines, usesTools: goesOn && toolCalls.length > 0, voice: this.#speech.voice });
    return goesOn && toolCalls.length > 0 ? { ...answer, toolCalls } : answer;
  }

  #listener(): ConstructorParameters<typeof Mouth>[0]['listener'] {
    return {
      onStarted: (atMs) => {
        this.#clock.mark('firstFrameSent', atMs);
        this.#state.soundBegan(this.#clock);
      },
      onDrained: (atMs) => {
        this.#clock.mark('playoutEnd', atMs);
        this.#state.soundEnded();
      },
      onClauseBegan: ({ entry }: SpokenClause) => this.#state.screen.show('rtf-bot-text', { text: entry.text.trim(), timestamp: entry.sentAt }),
      onClauseOver: () => undefined,
    };
  }
}
