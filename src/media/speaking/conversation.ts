import type { Note } from '../../domain/call/intervention.ts';
import type { AfterSpeaking, SpeakStepInput, SpokenStep } from '../../domain/call/voice.ts';
import { keyTermsOf } from '../../domain/speech/key-terms.ts';
import { readTurnSettings } from '../../domain/turn-taking/settings.ts';
import type { TurnCommand, TurnEvent, TurnSettings } from '../../domain/turn-taking/types.ts';
import { guarded } from '../../runtime/guarded.ts';
import { pause } from '../../runtime/pause.ts';
import { endsCall, findLiveSummary } from '../../services/calls/index.ts';
import type { GoneReason } from '../leg.ts';
import { Absence } from './absence.ts';
import { analyzeTurn } from './analyze-turn.ts';
import { reportFailure } from './call-report.ts';
import { CallState, type CallParts } from './call-state.ts';
import { classifyOpening } from './classify-opening.ts';
import { Foresight } from './foresight.ts';
import { createHearing, type Hearing } from './hearing.ts';
import { Leaving } from './leaving.ts';
import { isoOf } from './now.ts';
import { toolsOf } from './prompts.ts';
import { messageOf } from './reply-maker.ts';
import { StepRun } from './step-run.ts';
import { createTurnDriver, type TurnDriver } from './turn-driver.ts';

/** Maximum time from a hang-up to the end of the step. The call waits 1.5 s for its host's last answer. */
const hangUpMs = 1000;
/** How long a person may go on speaking before a supervisor's intervention. */
const finishMs = 2000;

/**
 * A live call at this host. It listens all the time, speaks when a step asks for it, and carries out the
 * commands of turn taking.
 *
 *  - C1. Steps run one at a time. The state keeps what happens between two steps for the next one.
 *  - C2. Once the call has begun, nothing here waits for MySQL.
 *  - C3. A reply that was asked ahead is not heard, and its tools do not run, before a step claims it.
 */
export class Conversation {
  readonly #state: CallState;
  readonly #foresight: Foresight;
  readonly #leaving: Leaving;
  readonly #absence: Absence;
  readonly #driver: TurnDriver;
  readonly #hearing: Hearing;
  readonly #closing = new AbortController();
  readonly #over = Promise.withResolvers<void>();
  readonly #gone = new AbortController();
  #analyzing = new AbortController();
  /** The current step. */
  #run: StepRun | null = null;
  /** What the caller said to its end while there was no step. */
  #late: AfterSpeaking | null = null;

  constructor(parts: CallParts) {
    const { deps, leg } = parts;
    this.#state = new CallState(parts);
    this.#foresight = new Foresight(this.#state);
    const { onFault } = this.#state;
    this.#leaving = new Leaving({ nowMs: deps.nowMs, leave: () => this.#leave(), onFault });
    this.#absence = new Absence(this.#state);
    this.#driver = createTurnDriver({
      settings: turnSettingsOf(parts),
      beganAtMs: leg.beganAtMs,
      nowMs: deps.nowMs,
      carryOut: (command) => this.#carryOut(command),
      onFault,
    });
    this.#hearing = this.#listen();
    leg.onGone((reason) => {
      this.#state.ends.isGone = true;
      this.#gone.abort();
      this.#absence.end();
      void this.#takeLastWords(reason).catch(onFault).then(this.#over.resolve);
    });
  }

  /** Resolves when the stream is over and the caller's last words are known. */
  get whenOver(): Promise<void> {
    return this.#over.promise;
  }

  /** Says a step. An abort of the signal stops it at once and rejects with the signal's reason. */
  async speak(input: SpeakStepInput, signal: AbortSignal): Promise<SpokenStep> {
    signal.throwIfAborted();
    if (this.#leaving.isWanted) await this.finishSpeaking(signal);
    signal.throwIfAborted();
    if (this.#run !== null) throw new Error('Another step of this call is running');
    this.#leaving.busy();
    this.#absence.end();
    this.#endTools(input);
    // Notes are only added: a step that was asked for before the last one does not take it away.
    if (input.notes !== undefined && input.notes.length > this.#state.notes.length)
      this.#state.notes = input.notes;
    const run = this.#newRun(input);
    const end = this.#endBefore(input);
    if (end !== null) {
      this.#foresight.speculation.drop();
      const step = this.#noted(run, run.endAtOnce(end));
      this.#awaitNext(input, step);
      return step;
    }
    const claimed = this.#foresight.speculation.claim(input);
    this.#run = run;
    const onAbort = guarded(() => run.end({ kind: 'gone' }), this.#state.onFault);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const step = this.#noted(run, await run.run(claimed));
      signal.throwIfAborted();
      this.#awaitNext(input, step);
      return step;
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#run = null;
    }
  }

  /** Resolves when the person has heard what was said between two steps. */
  async finishSpeaking(signal: AbortSignal): Promise<void> {
    if (this.#run === null)
      await this.#absence.finish(AbortSignal.any([signal, this.#closing.signal, this.#gone.signal]));
  }

  /**
   * Ends the current step in favor of a supervisor, and resolves when it has ended. A person who speaks may finish,
   * for up to two seconds: the step may then end with their words.
   */
  async yieldStep(): Promise<void> {
    const run = this.#run;
    if (run === null) return;
    if (this.#state.isCallerSpeaking)
      await Promise.race([run.whenEnded, pause(finishMs, this.#closing.signal)]);
    run.yield();
    await run.whenEnded;
  }

  /** The model gets these notes from its next question on; an answer that was asked ahead without them is dropped. */
  takeNotes(notes: readonly Note[]): void {
    this.#state.notes = notes;
    // guarantee: note-reaches-next-answer
    this.#foresight.speculation.drop();
  }

  /** The host stops: the call moves to another host between two turns. */
  move(): void {
    this.#leaving.want();
  }

  close(): void {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    this.#analyzing.abort();
    this.#absence.end();
    this.#run?.end({ kind: 'gone' });
    this.#foresight.speculation.drop();
    this.#driver.close();
    this.#leaving.busy();
    this.#hearing.close();
  }

  /** A caller who speaks and hangs up has said something: their turn ends with the words that the recognizer still has. */
  async #takeLastWords(reason: GoneReason): Promise<void> {
    const run = this.#run;
    // guarantee: last-words-before-hangup-kept
    if (run !== null && this.#state.isCallerSpeaking && isHangUp(reason, this.#state)) {
      this.#driver.tell({ kind: 'hung_up' });
      await Promise.race([run.whenEnded, pause(hangUpMs, this.#closing.signal)]);
    }
    run?.end({ kind: 'gone' });
  }

  #listen(): Hearing {
    const { deps, leg, voices, live, screen } = this.#state;
    return createHearing({
      leg,
      stt: voices.stt,
      model: voices.sttModel,
      language: voices.sttLanguage,
      keyTerms: keyTermsOf(live.scene.settings.dictionary),
      tell: (event) => this.#hear(event),
      onWords: ({ text, isFinal }) =>
        screen.show('rtf-user-transcription', {
          text,
          final: isFinal,
          timestamp: deps.clock.now().toISOString(),
        }),
      onStall: (error) => this.#stall(error),
      onFault: this.#state.onFault,
    });
  }

  #hear(event: TurnEvent): void {
    if (event.kind === 'voice_started') {
      this.#state.times.voiceStarted();
      this.#leaving.busy();
    }
    if (event.kind === 'voice_stopped') this.#leaving.quiet();
    this.#driver.tell(event);
  }

  #newRun(input: SpeakStepInput): StepRun {
    return new StepRun(
      {
        state: this.#state,
        driver: this.#driver,
        hearing: this.#hearing,
        foresight: this.#foresight,
        leaving: this.#leaving,
      },
      input,
    );
  }

  /** How a step ends that cannot begin; null when it can. */
  #endBefore(input: SpeakStepInput): AfterSpeaking | null {
    const late = this.#late;
    const { say, listens } = input;
    const onlyListens = listens && say.kind === 'line' && say.text === '';
    // A line that is said first does not take the words away.
    if (listens) this.#late = null;
    return (
      this.#state.ends.beforeStep(input) ??
      // guarantee: words-between-steps-kept
      (onlyListens ? late : null) ??
      (this.#leaving.isWanted ? { kind: 'moving' } : null)
    );
  }

  /** Keeps the outcome of a step for later steps. */
  #noted({ input, voice }: StepRun, step: SpokenStep): SpokenStep {
    const { transcript, sounds, screen } = this.#state;
    transcript.note(input, step.lines);
    sounds.speakWith(voice);
    void refreshSummary(this.#state, input);
    const toolCalls = step.next.kind === 'spoken' ? (step.toolCalls ?? []) : [];
    if (toolCalls.length === 0) return step;
    // The Workflow runs the tools before the next step; the caller is muted until then (contract 3.2).
    this.#driver.tell({ kind: 'tool_began' });
    // guarantee: browser-shown-running-tools
    screen.toolsBegin(toolCalls);
    this.#state.areToolsRunning = true;
    return step;
  }

  /** What follows is up to the Workflow. */
  #awaitNext(input: SpeakStepInput, step: SpokenStep): void {
    const { next, toolCalls = [] } = step;
    if (next.kind === 'gone' || next.kind === 'moving' || this.#state.ends.isGone) return;
    const { say, listens } = input;
    const isLast = !listens && say.kind !== 'line' && step.chosenEdge === null && toolCalls.length === 0;
    const isDecided = next.kind === 'voicemail' || endsCall(toolsOf(this.#state.live, input.step), toolCalls);
    this.#absence.begin(isDecided ? 'decision' : isLast ? 'end' : 'words');
  }

  #endTools({ toolRounds = [] }: SpeakStepInput): void {
    if (!this.#state.areToolsRunning) return;
    this.#state.areToolsRunning = false;
    this.#driver.tell({ kind: 'tool_ended' });
    this.#state.screen.toolsEnded(toolRounds.at(-1)?.calls ?? []);
  }

  #carryOut(command: TurnCommand): void {
    const { deps, leg, screen, ends } = this.#state;
    switch (command.kind) {
      case 'interrupt':
        return this.#interrupt();
      case 'pause_output':
        return leg.playout.pause();
      case 'resume_output':
        return leg.playout.resume();
      case 'finalize_recognizer':
        return this.#hearing.finalize();
      case 'analyze':
        return this.#analyze(command.text);
      case 'speculate':
        return this.#speculate(command.text);
      case 'drop_speculation':
        return this.#foresight.speculation.drop();
      case 'end_turn':
        return this.#endTurn(command);
      case 'keypad': {
        const at = deps.clock.now().toISOString();
        return this.#run?.end({ kind: 'keypad', digits: command.digits, at });
      }
      case 'idle':
        return this.#run?.end({ kind: 'silence' });
      case 'time_up':
        ends.isTimeUp = true;
        return this.#run?.input.listens === true ? this.#run.end({ kind: 'time_up' }) : undefined;
      case 'mute_started':
        return screen.show('rtf-user-mute-started');
      case 'mute_stopped':
        return screen.show('rtf-user-mute-stopped');
      case 'classify_opening':
        return void this.#classify(command.text).catch(this.#state.onFault);
      case 'user_started':
        this.#state.isCallerSpeaking = true;
        return;
      case 'false_interruption':
        this.#state.isCallerSpeaking = false;
        // guarantee: cough-resumes-reply
        return this.#run?.goOn();
      case 'ignored':
        return;
    }
  }

  #interrupt(): void {
    const { leg, times } = this.#state;
    if (this.#run === null) leg.playout.clear();
    else this.#run.interrupt();
    // A reply that was paused before its first sound has nothing to clear: the next reply must not wait.
    // guarantee: speech-before-first-reply-heard
    leg.playout.resume();
    times.interrupted();
  }

  #analyze(text: string): void {
    this.#analyzing.abort();
    this.#analyzing = new AbortController();
    analyzeTurn({
      state: this.#state,
      driver: this.#driver,
      text,
      samples: (ms) => this.#hearing.latest(ms),
      signal: this.#analyzing.signal,
    }).catch(this.#state.onFault);
  }

  #speculate(text: string): void {
    if (this.#run !== null) this.#foresight.turn(this.#run, { text, at: '', isSettled: false });
  }

  #endTurn({ text, speechStartedAtMs, speechEndedAtMs }: Extract<TurnCommand, { kind: 'end_turn' }>): void {
    const { deps, times, ends } = this.#state;
    this.#state.isCallerSpeaking = false;
    times.turnEnded(speechEndedAtMs);
    const startedAt = isoOf(deps, speechStartedAtMs);
    if (this.#run === null) {
      this.#late = { kind: 'utterance', text, startedAt, endedAt: isoOf(deps, speechEndedAtMs) };
      return;
    }
    if (!ends.isGone) this.#foresight.turn(this.#run, { text, at: startedAt, isSettled: true });
    this.#run.end({ kind: 'utterance', text, startedAt, endedAt: isoOf(deps, speechEndedAtMs) });
  }

  async #classify(text: string): Promise<void> {
    const { deps, live, ends } = this.#state;
    const isMachine = await classifyOpening({ deps, live, text, signal: this.#closing.signal });
    if (this.#closing.signal.aborted) return;
    this.#driver.tell({ kind: 'opening_classified', isMachine });
    if (!isMachine) return;
    ends.isMachine = true;
    this.#run?.end({ kind: 'voicemail' });
  }

  #stall(error: unknown): void {
    const { ends } = this.#state;
    if (this.#closing.signal.aborted || ends.isGone) return;
    ends.stall = { kind: 'fault', stage: 'stt', message: messageOf(error) };
    reportFailure(this.#state, 'stt', error);
    if (this.#run?.isListening === true) this.#run.listen();
  }

  #leave(): void {
    if (this.#run?.isListening === true && !this.#state.isCallerSpeaking) this.#run.end({ kind: 'moving' });
  }
}

function turnSettingsOf({ live, voices, first }: CallParts): TurnSettings {
  const { scene, usedMs } = live;
  const { capabilities } = voices.stt;
  return readTurnSettings(scene.settings, {
    language: voices.sttLanguage,
    channel: { kind: scene.call.channel === 'web' ? 'web' : 'phone', direction: scene.call.direction },
    recognizer: {
      p99FinalMs: capabilities.p99FinalMs,
      hasInterims: capabilities.interims,
      marksTurns: false,
    },
    usedMs: first.generation > 1 ? usedMs : 0,
  });
}

/** A browser that is closed has hung up; a carrier says so before it closes. */
function isHangUp(reason: GoneReason, { live }: CallState): boolean {
  return reason === 'stopped' || (reason === 'closed' && live.scene.call.channel === 'web');
}

/** Reads the newest summary for later prompts; nothing waits for it. */
async function refreshSummary({ deps, live }: CallState, input: SpeakStepInput): Promise<void> {
  const { settings } = live.scene;
  const through = { branch: input.step.branch, turnIndex: input.step.turnIndex - 1 };
  try {
    live.summary =
      (await findLiveSummary({ deps: deps.conversation, input, through, settings })) ?? live.summary;
  } catch (error) {
    deps.log.debug({ err: error, callId: input.callId }, 'The summary of a live call cannot be read');
  }
}
