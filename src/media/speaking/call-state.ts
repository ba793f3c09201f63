import type { Note } from '../../domain/call/intervention.ts';
import type { SpeakStepInput } from '../../domain/call/voice.ts';
import { SpeechPace } from '../../domain/speech/speech-pace.ts';
import type { LiveScene } from '../../services/calls/index.ts';
import type { VoiceLeg } from '../leg.ts';
import type { WaitingCall } from './absence.ts';
import { CallEnds } from './call-ends.ts';
import { CallSounds } from './call-sounds.ts';
import type { Foresight } from './foresight.ts';
import type { Hearing } from './hearing.ts';
import type { Leaving } from './leaving.ts';
import type { SpeakingDeps } from './ports.ts';
import { Screen } from './screen.ts';
import { Transcript } from './transcript.ts';
import type { TurnDriver } from './turn-driver.ts';
import { TurnTimes } from './turn-times.ts';
import type { CallVoices } from './voices.ts';

export interface CallParts {
  deps: SpeakingDeps;
  leg: VoiceLeg;
  live: LiveScene;
  voices: CallVoices;
  /** The step that the conversation begins with. */
  first: SpeakStepInput;
}

/** What a host keeps of a call between its steps. */
export class CallState implements WaitingCall {
  readonly deps: SpeakingDeps;
  readonly leg: VoiceLeg;
  readonly live: LiveScene;
  readonly voices: CallVoices;
  readonly ref: { callId: number; generation: number };
  readonly transcript: Transcript;
  readonly screen: Screen;
  readonly sounds: CallSounds;
  readonly times: TurnTimes;
  readonly ends = new CallEnds();
  readonly pace = new SpeechPace();
  /** Of supervisors, for the model. */
  notes: readonly Note[] = [];
  isCallerSpeaking = false;
  /** The caller has heard the agent in this call. */
  hasSpoken = false;
  /** The Workflow runs tools between two steps. */
  areToolsRunning = false;
  #clauseId = 0;

  constructor({ deps, leg, live, voices, first }: CallParts) {
    this.deps = deps;
    this.leg = leg;
    this.live = live;
    this.voices = voices;
    this.ref = { callId: first.callId, generation: first.generation };
    this.transcript = new Transcript(live.scene.exchanges, first.step.turnIndex);
    this.screen = new Screen(leg, deps);
    this.sounds = new CallSounds(voices, leg.sampleRate);
    this.times = new TurnTimes({ clocks: deps, metrics: deps.metrics });
  }

  readonly onFault = (error: unknown): void =>
    this.deps.log.error({ ...this.ref, err: error }, 'A live call failed to handle an event');

  facts(): ReturnType<WaitingCall['facts']> {
    return Promise.resolve({ call: this.live.scene.call, sounds: this.sounds });
  }

  nextClauseId(): number {
    this.#clauseId += 1;
    return this.#clauseId;
  }

  /** The agent has not been heard in this call before. */
  isFirstReply({ step }: SpeakStepInput): boolean {
    return step.turnIndex === 0 && !this.hasSpoken && this.live.scene.turns.length === 0;
  }
}

/** What a step works with: the state of its call and the parts that act for the call. */
export interface StepCall {
  readonly state: CallState;
  readonly driver: TurnDriver;
  readonly hearing: Hearing;
  readonly foresight: Foresight;
  readonly leaving: Leaving;
}
