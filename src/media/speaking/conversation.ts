import type { Line } from '../../domain/call/line.ts';
import type { ToolCallRequest } from '../../domain/call/tool-call.ts';
import type { AfterSpeaking, SpeakStepInput, SpokenStep } from '../../domain/call/voice.ts';
import { voiceStartMs } from '../../domain/audio/voice-activity.ts';
import { fixedLine, type FixedLine } from '../../domain/speech/fixed-lines.ts';
import { SpeechPace } from '../../domain/speech/speech-pace.ts';
import { keyTermsOf } from '../../domain/speech/key-terms.ts';
import { readTurnSettings } from '../../domain/turn-taking/settings.ts';
import type { TurnCommand } from '../../domain/turn-taking/types.ts';
import { findLiveSummary, type LiveScene, type ModelReply } from '../../services/calls/index.ts';
import type { GoneReason, VoiceLeg } from '../leg.ts';
import { analyzeTurn } from './analyze-turn.ts';
import type { CallState } from './call-state.ts';
import { classifyOpening } from './classify-opening.ts';
import { Foresight } from './foresight.ts';
import { createHearing, type Hearing } from './hearing.ts';
import { isoOf } from './now.ts';
import { Leaving } from './leaving.ts';
import type { SpeakingDeps } from './ports.ts';
import { measureReply } from './measure-reply.ts';
import { messageOf } from './reply-maker.ts';
import { Screen } from './screen.ts';
import type { Speculation } from './speculation.ts';
import { StepClock } from './step-clock.ts';
import { StepRun } from './step-run.ts';
import { Transcript } from './transcript.ts';
import { createTurnDriver, type TurnDriver } from './turn-driver.ts';
import type { CallVoices } from './voices.ts';

export interface ConversationParts {
  deps: SpeakingDeps;
  leg: VoiceLeg;
  live: LiveScene;
  voices: CallVoices;
  /** The step it begins with. */
  first: SpeakStepInput;
}

/**
 * One live call at this host, kept between steps: it listens all the time, speaks when a step says so, and
 * carries out what turn taking decides.
 *
 * C1. One step at a time; what happens between two steps is remembered for the next one. C2. Nothing here
 * waits for MySQL once it has begun. C3. Nothing that was asked of model and voice ahead is heard, and no
 * tool runs, before a step claims it.
 */
export class Conversation implements CallState {
  readonly deps: SpeakingDeps;
  readonly leg: VoiceLeg;
  readonly live: LiveScene;
  readonly voices: CallVoices;
  readonly transcript: Transcript;
  readonly screen: Screen;
  readonly driver: TurnDriver;
  readonly pace = new SpeechPace();
  readonly #foresight: Foresight;
  readonly #hearing: Hearing;
  readonly #first: SpeakStepInput;
  readonly #leaving: Leaving;
  readonly #closing = new AbortController();
  #analyzing = new AbortController();
  #run: StepRun | null = null;
  #voice = 0;
  #clauseId = 0;
  #hasSpoken = false;
  #speechEndedAtMs: number | null = null;
  #decidedAtMs: number | null = null;
  /** What ends the next step, or the one that is under way, whatever is said in it. */
  #gone: GoneReason | null = null;
  #isTimeUp = false;
  #isMachine = false;
  #deafness: Extract<AfterSpeaking, { kind: 'fault' }> | null = null;
  #callerSpeaks = false;
  #voiceStartedAtMs: number | null = null;
  #areToolsRunning = false;

  constructor({ deps, leg, live, voices, first }: ConversationParts) {
    const { scene } = live;
    this.deps = deps;
    this.leg = leg;
    this.live = live;
    this.voices = voices;
    this.#first = first;
    this.transcript = new Transcript(scene.exchanges, first.step.turnIndex);
    this.screen = new Screen(leg, deps);
    this.#foresight = new Foresight(this);
    this.#leaving = new Leaving({ nowMs: deps.nowMs, leave: () => this.#leave() });
    const { capabilities } = voices.stt;
    const settings = readTurnSettings(scene.settings, {
      language: voices.sttLanguage,
      channel: { kind: scene.call.channel === 'web' ? 'web' : 'phone', direction: scene.call.direction },
      recognizer: {
        p99FinalMs: capabilities.p99FinalMs,
        hasInterims: capabilities.interims,
        marksTurns: false,
      },
      usedMs: first.generation > 1 ? live.usedMs : 0,
    });
    this.driver = createTurnDriver({
      settings,
      beganAtMs: leg.beganAtMs,
      nowMs: deps.nowMs,
      carryOut: (command) => this.#carryOut(command),
    });
    this.#hearing = createHearing({
      leg,
      stt: voices.stt,
      model: voices.sttModel,
      language: voices.sttLanguage,
      keyTerms: keyTermsOf(scene.settings.dictionary),
      tell: (event) => {
        if (event.kind === 'voice_started') this.#voiceStartedAtMs = deps.nowMs() - voiceStartMs;
        if (event.kind === 'voice_started') this.#leaving.busy();
        if (event.kind === 'voice_stopped') this.#leaving.quiet();
        this.driver.tell(event);
      },
      onWords: ({ text, isFinal }) =>
        this.screen.show('rtf-user-transcription', {
          text,
          final: isFinal,
          timestamp: deps.clock.now().toISOString(),
        }),
      onStall: (error) => this.#stall(error),
    });
    leg.onGone((reason) => {
      this.#gone = reason;
      this.#run?.end({ kind: 'gone' });
    });
  }

  /** Says a step. An abort of the signal stops it at once and rejects with the signal's reason. */
  async speak(input: SpeakStepInput, signal: AbortSignal): Promise<SpokenStep> {
    signal.throwIfAborted();
    if (this.#run !== null) throw new Error('A step of this call is still being said');
    this.#leaving.busy();
    this.#endTools(input);
    const run = new StepRun(this, input);
    const known = this.#knownEnd(input);
    if (known !== null) {
      this.speculation.drop();
      return run.endAtOnce(known);
    }
    const claimed = this.speculation.claim(input);
    this.#run = run;
    const onAbort = () => run.end({ kind: 'gone' });
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const step = await run.run(claimed);
      signal.throwIfAborted();
      return step;
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#run = null;
    }
  }

  /** The host stops: the call leaves it between two turns. */
  move(): void {
    this.#leaving.want();
  }

  close(): void {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    this.#analyzing.abort();
    this.#run?.end({ kind: 'gone' });
    this.speculation.drop();
    this.driver.close();
    this.#leaving.busy();
    this.#hearing.close();
  }

  get isGone(): boolean {
    return this.#gone !== null;
  }

  get voice(): number {
    return this.#voice;
  }

  get speculation(): Speculation {
    return this.#foresight.speculation;
  }

  get deafness(): Extract<AfterSpeaking, { kind: 'fault' }> | null {
    return this.#deafness;
  }

  readonly nextClauseId = (): number => {
    this.#clauseId += 1;
    return this.#clauseId;
  };

  clip(text: string): Int16Array | null {
    const voice = this.voices.voices[this.#voice] ?? this.voices.voices[0];
    return voice === undefined
      ? null
      : voice.clips.ready({ voice: voice.voice, text, sampleRate: this.leg.sampleRate });
  }

  anyClip(names: readonly FixedLine[]): { text: string; samples: Int16Array } | null {
    for (const name of names) {
      const text = fixedLine(name, this.voices.language);
      for (const voice of this.voices.voices) {
        const samples = voice.clips.ready({ voice: voice.voice, text, sampleRate: this.leg.sampleRate });
        if (samples !== null) return { text, samples };
      }
    }
    return null;
  }

  stepClock(): StepClock {
    const clock = new StepClock(this.deps, this.#speechEndedAtMs ?? this.deps.nowMs());
    if (this.#speechEndedAtMs !== null) clock.mark('speechEnd', this.#speechEndedAtMs);
    if (this.#decidedAtMs !== null) clock.mark('turnDecided', this.#decidedAtMs);
    clock.mark('claimed');
    this.#speechEndedAtMs = null;
    this.#decidedAtMs = null;
    return clock;
  }

  isFirstReply({ step }: SpeakStepInput): boolean {
    return step.turnIndex === 0 && !this.#hasSpoken && this.live.scene.turns.length === 0;
  }

  foreseeMove(run: StepRun, edgeId: string): void {
    this.#foresight.move(run, edgeId);
  }

  listening(run: StepRun): void {
    if (this.#deafness !== null) run.end(this.#deafness);
    this.#leaving.quiet();
  }

  replied({ timings }: ModelReply): void {
    if (timings.firstTokenMs !== null)
      this.screen.show('rtf-ttfb-metric', {
        ttfb_seconds: timings.firstTokenMs / 1000,
        processor: 'llm',
        model: timings.model ?? this.live.by.model,
      });
  }

  failed(stage: 'llm' | 'tts' | 'stt', error: unknown): void {
    this.screen.show('rtf-pipeline-error', { error: messageOf(error), fatal: false, processor: stage });
    this.deps.log.warn(
      { callId: this.#first.callId, generation: this.#first.generation, stage, message: messageOf(error) },
      'A provider failed in a live call',
    );
  }

  soundBegan(clock: StepClock): void {
    this.#hasSpoken = true;
    measureReply(this.deps.metrics, clock);
    this.driver.tell({ kind: 'audio_started' });
    this.screen.show('rtf-bot-started-speaking');
    const [endedMs, beganMs] = [clock.at('speechEnd'), clock.at('firstFrameSent')];
    if (endedMs !== null && beganMs !== null)
      this.screen.show('rtf-latency-measured', { latency_seconds: (beganMs - endedMs) / 1000 });
  }

  soundEnded(): void {
    this.driver.tell({ kind: 'audio_drained' });
    this.screen.show('rtf-bot-stopped-speaking');
  }

  takeHeardSeconds(): Record<string, number> {
    const seconds = this.#hearing.takeSeconds();
    return seconds === 0 ? {} : { [this.voices.sttService]: Math.round(seconds * 100) / 100 };
  }

  closed(
    run: StepRun,
    { lines, toolCalls, voice }: { lines: Line[]; toolCalls: readonly ToolCallRequest[]; voice: number },
  ): void {
    this.transcript.note(run.input, lines);
    this.#voice = Math.min(voice, Math.max(0, this.voices.voices.length - 1));
    void this.#refreshSummary(run.input);
    // The Workflow runs them between two steps; the caller is not listened to meanwhile (contract 3.2).
    if (toolCalls.length === 0) return;
    this.driver.tell({ kind: 'tool_began' });
    // guarantee: person-talks-agent-browser
    this.screen.toolsBegin(toolCalls);
    this.#areToolsRunning = true;
  }

  #endTools({ toolRounds = [] }: SpeakStepInput): void {
    if (!this.#areToolsRunning) return;
    this.#areToolsRunning = false;
    this.driver.tell({ kind: 'tool_ended' });
    this.screen.toolsEnded(toolRounds.at(-1)?.calls ?? []);
  }

  /** Something happened before the step began, and it is of no use any more. */
  #knownEnd({ say, listens }: SpeakStepInput): AfterSpeaking | null {
    if (this.#gone !== null) return { kind: 'gone' };
    if (this.#isMachine && say.kind === 'reply') return { kind: 'voicemail' };
    if (this.#isTimeUp && listens) return { kind: 'time_up' };
    return this.#leaving.isWanted ? { kind: 'moving' } : null;
  }

  #carryOut(command: TurnCommand): void {
    switch (command.kind) {
      case 'interrupt':
        return this.#interrupt();
      case 'pause_output':
        return this.leg.playout.pause();
      case 'resume_output':
        return this.leg.playout.resume();
      case 'finalize_recogniser':
        return this.#hearing.finalize();
      case 'analyze':
        this.#analyzing.abort();
        this.#analyzing = new AbortController();
        return void analyzeTurn({
          conversation: this,
          text: command.text,
          samples: (ms) => this.#hearing.latest(ms),
          signal: this.#analyzing.signal,
        });
      case 'speculate':
        if (this.#run !== null)
          this.#foresight.turn(this.#run, { text: command.text, at: '', isSettled: false });
        return;
      case 'drop_speculation':
        return this.speculation.drop();
      case 'end_turn':
        return this.#endTurn(command);
      case 'keypad':
        return this.#run?.end({
          kind: 'keypad',
          digits: command.digits,
          at: this.deps.clock.now().toISOString(),
        });
      case 'idle':
        return this.#run?.end({ kind: 'silence' });
      case 'time_up':
        this.#isTimeUp = true;
        if (this.#run?.input.listens === true) this.#run.end({ kind: 'time_up' });
        return;
      case 'mute_started':
        return this.screen.show('rtf-user-mute-started');
      case 'mute_stopped':
        return this.screen.show('rtf-user-mute-stopped');
      case 'classify_opening':
        return void this.#classify(command.text);
      case 'user_started':
        this.#callerSpeaks = true;
        return;
      case 'false_interruption':
        this.#callerSpeaks = false;
        // guarantee: cough-costs-nothing-agent
        return this.#run?.goOn();
      case 'ignored':
        return;
    }
  }

  #interrupt(): void {
    if (this.#run === null) this.leg.playout.clear();
    else this.#run.interrupt();
    // guarantee: speaks-before-agent-s
    this.leg.playout.resume(); // a reply that was held back before its first sound leaves nothing to clear: the next one must not wait
    if (this.#voiceStartedAtMs !== null)
      this.deps.metrics.observe(
        'parlance_barge_in_seconds',
        {},
        (this.deps.nowMs() - this.#voiceStartedAtMs) / 1000,
      );
    this.#voiceStartedAtMs = null;
  }

  #endTurn({ text, speechStartedAtMs, speechEndedAtMs }: Extract<TurnCommand, { kind: 'end_turn' }>): void {
    const run = this.#run;
    this.#callerSpeaks = false;
    this.#speechEndedAtMs = speechEndedAtMs;
    this.#decidedAtMs = this.deps.nowMs();
    if (run === null) return;
    const startedAt = isoOf(this.deps, speechStartedAtMs);
    this.#foresight.turn(run, { text, at: startedAt, isSettled: true });
    run.end({ kind: 'utterance', text, startedAt, endedAt: isoOf(this.deps, speechEndedAtMs) });
  }

  async #classify(text: string): Promise<void> {
    const isMachine = await classifyOpening({
      deps: this.deps,
      live: this.live,
      text,
      signal: this.#closing.signal,
    });
    if (this.#closing.signal.aborted) return;
    this.driver.tell({ kind: 'opening_classified', isMachine });
    if (!isMachine) return;
    this.#isMachine = true;
    this.#run?.end({ kind: 'voicemail' });
  }

  #stall(error: unknown): void {
    if (this.#closing.signal.aborted || this.#gone !== null) return;
    this.#deafness = { kind: 'fault', stage: 'stt', message: messageOf(error) };
    this.failed('stt', error);
    if (this.#run?.isListening === true) this.listening(this.#run);
  }

  #leave(): void {
    if (this.#run?.isListening === true && !this.#callerSpeaks) this.#run.end({ kind: 'moving' });
  }

  /** For later prompts; nothing waits for it. */
  async #refreshSummary(input: SpeakStepInput): Promise<void> {
    const { settings } = this.live.scene;
    const through = { branch: input.step.branch, turnIndex: input.step.turnIndex - 1 };
    try {
      this.live.summary =
        (await findLiveSummary({ deps: this.deps.conversation, input, through, settings })) ??
        this.live.summary;
    } catch (error) {
      this.deps.log.debug({ err: error, callId: input.callId }, 'The summary of a live call cannot be read');
    }
  }
}
