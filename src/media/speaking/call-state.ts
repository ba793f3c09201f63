import type { ToolCallRequest } from '../../domain/call/tool-call.ts';
import type { Line } from '../../domain/call/line.ts';
import type { AfterSpeaking, SpeakStepInput } from '../../domain/call/voice.ts';
import type { SpeechPace } from '../../domain/speech/speech-pace.ts';
import type { FixedLine } from '../../domain/speech/fixed-lines.ts';
import type { LiveScene, ModelReply } from '../../services/calls/index.ts';
import type { VoiceLeg } from '../leg.ts';
import type { SpeakingDeps } from './ports.ts';
import type { Screen } from './screen.ts';
import type { Speculation } from './speculation.ts';
import type { StepClock } from './step-clock.ts';
import type { StepRun } from './step-run.ts';
import type { Transcript } from './transcript.ts';
import type { TurnDriver } from './turn-driver.ts';
import type { CallVoices } from './voices.ts';

/** What outlives a step of a call, as the step sees it. */
export interface CallState {
  readonly deps: SpeakingDeps;
  readonly leg: VoiceLeg;
  readonly live: LiveScene;
  readonly voices: CallVoices;
  /** The first of them that has not failed. */
  readonly voice: number;
  readonly transcript: Transcript;
  readonly screen: Screen;
  readonly driver: TurnDriver;
  readonly speculation: Speculation;
  /** Speech recognition has given up; null while it works. */
  readonly deafness: Extract<AfterSpeaking, { kind: 'fault' }> | null;
  /** Of its voice. */
  readonly pace: SpeechPace;
  nextClauseId(this: void): number;
  /** Sound of a text that was made ahead. */
  clip(text: string): Int16Array | null;
  /** The first of these lines that there is sound of. */
  anyClip(names: readonly FixedLine[]): { text: string; samples: Int16Array } | null;
  /** A clock for a step that begins now. */
  stepClock(): StepClock;
  /** Nothing of the agent was heard before in this call. */
  isFirstReply(input: SpeakStepInput): boolean;
  /** The step's edge will most likely be followed: the question at its target is asked now. */
  foreseeMove(run: StepRun, edgeId: string): void;
  /** The caller has the floor in this step. */
  listening(run: StepRun): void;
  replied(reply: ModelReply): void;
  failed(stage: 'llm' | 'tts' | 'stt', error: unknown): void;
  soundBegan(clock: StepClock): void;
  soundEnded(): void;
  takeHeardSeconds(): Record<string, number>;
  closed(run: StepRun, result: { lines: Line[]; toolCalls: readonly ToolCallRequest[]; voice: number }): void;
}
