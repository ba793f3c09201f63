import type { ToolCallRequest } from './tool-call.ts';
import type { Note } from './intervention.ts';
import type { Line } from './line.ts';
import type { Step } from './turn.ts';
import type { ToolRound } from './tool-round.ts';

/**
 * Messages between a call's Workflow and the media host that speaks for it (docs/architecture.md, A phone
 * call). They are small: no prompt, no secret, no transcript of earlier turns. A *generation* counts the
 * hosts that a call has had; messages of an older one are ignored.
 */

/** The channel of a spoken call, in the input of its Workflow. */
export interface VoiceChannel {
  kind: 'phone' | 'web';
  /** The carrier that the call goes over; absent in a browser. */
  provider?: string;
  direction: 'inbound' | 'outbound';
  /** Maximum duration of the conversation (contract 3.2) in milliseconds, from the beginning of media. */
  maxDurationMs: number;
  /** The carrier connection; null in a browser. */
  configurationId: number | null;
  /** The platform's number that the callee sees, or that was called; null in a browser. */
  phoneNumberId: number | null;
  /** An inbound leg that waits to be answered. */
  ringing?: { callControlId: string; legId: string | null; sessionId: string | null };
  /** The callee is dialed with detection of answering machines. */
  detectsMachines: boolean;
  /** The agent leaves a message on an answering machine. Absent = it hangs up without one. */
  leavesMessage?: true;
  /** The host that already has the browser's socket. */
  host?: { hostId: string; hostQueue: string };
}

/** A seat at a media host. The token of its stream is only in MySQL (`call_seats`). */
export interface Seat {
  hostId: string;
  hostQueue: string;
  generation: number;
}

export interface ClaimSeatInput {
  callId: number;
  organizationId: number;
  generation: number;
}

export type ClaimSeatOutcome =
  | { kind: 'seated'; seat: Seat }
  /**
   * This host has no free seat now. `elsewhere` is the queue of a host with free seats, according to MySQL.
   */
  | { kind: 'full'; elsewhere?: string };

/**
 * The activities of a media host besides `speakStep` (src/activities/speaking.ts): `claimSeat` on the shared queue, the
 * others on its own.
 */
export interface MediaActivities {
  claimSeat(input: ClaimSeatInput): Promise<ClaimSeatOutcome>;
  /**
   * Before the call leaves the host by a transfer: ends when the person has heard what the host says by itself
   * between two steps. Without words of that kind, at once.
   */
  finishSpeaking(input: ClaimSeatInput): Promise<void>;
  /** Ends the step that the host speaks for the call, whose answer nobody waits for any more. Idempotent. */
  stopStep(input: ClaimSeatInput): Promise<void>;
  /**
   * Ends the step that the host speaks for the call, in favor of a supervisor: its answer is `intervened`. A person who
   * speaks may finish first, for a while. Idempotent.
   */
  yieldStep(input: ClaimSeatInput): Promise<void>;
  /** Replaces the supervisors' notes that the model gets. Idempotent. */
  takeNotes(input: TakeNotesInput): Promise<void>;
  /** Idempotent. */
  releaseSeat(input: ClaimSeatInput): Promise<void>;
}

export interface TakeNotesInput extends ClaimSeatInput {
  notes: Note[];
}

/** One spoken step of a turn: a reply, and the next utterance when the model stays at the node. */
export interface SpeakStepInput {
  callId: number;
  organizationId: number;
  versionId: number;
  generation: number;
  step: Step;
  /** Uncommitted lines of this turn so far, the caller's first. */
  pendingLines: Line[];
  /** Tools used in this turn so far; absent = none. */
  toolRounds?: ToolRound[];
  /** Supervisors' notes for the model; absent = none. */
  notes?: Note[];
  say: Say;
  /** False at an End Call node and before a hang-up: the step ends after the playout. */
  listens: boolean;
}

export type Say =
  /** Greeting, transition speech or model, depending on the step's entry. */
  | { kind: 'reply' }
  /**
   * The caller was silent for `max_user_idle_timeout`: the model asks whether the caller is still there
   * (contract 3.2).
   */
  | { kind: 'check_in' }
  /** A closing line (`listens` is false). */
  | { kind: 'goodbye'; reason: 'idle' | 'duration' | 'fault' | 'supervisor' }
  /** The message for an answering machine. */
  | { kind: 'voicemail_message' }
  /**
   * A given text: that of a transfer's resolver (contract 12.7) or of a supervisor. An empty one says nothing; with
   * `listens`, the agent then only listens.
   */
  | { kind: 'line'; text: string }
  /**
   * Continues the step after a host was lost: a recovery line, then the unheard part from the journal, then
   * the rest. The answer covers the whole step: `lines` includes those of earlier hosts, in order.
   */
  | {
      kind: 'resume';
      /** The last host moved the call in order: nothing was cut off, and no recovery line is spoken. */
      inOrder?: true;
      /** The step says this given text, and the model is not asked. */
      line?: string;
    };

export interface SpokenStep {
  /**
   * The agent's lines that were heard in this step, in order, from all hosts. A line that was cut off ends
   * with the last heard word.
   */
  lines: Line[];
  /** The edge that the model chose; null when it stays, or when the caller interrupted. */
  chosenEdge: string | null;
  /** Tools to run, in this order; absent = none. */
  toolCalls?: ToolCallRequest[];
  usage: SpokenUsage;
  timings: TurnTimings | null;
  /** When the step began, ISO 8601. */
  begunAt: string;
  /** The node's setting; absent = false. */
  allowInterrupt?: true;
  wasInterrupted: boolean;
  next: AfterSpeaking;
}

export type AfterSpeaking =
  /** The host did not listen, because of an edge, tools, or an end. */
  | { kind: 'spoken' }
  | { kind: 'utterance'; text: string; /** ISO 8601. */ startedAt: string; endedAt: string }
  /** Digits on the keypad, until a pause or `#`. */
  | { kind: 'keypad'; digits: string; at: string }
  | { kind: 'silence' }
  /** `max_call_duration` is nearly reached: time for a closing line. */
  | { kind: 'time_up' }
  /** An answering machine answered, according to the words of its opening (contract 3.2). */
  | { kind: 'voicemail' }
  /** The stream has ended, because the person hung up or the leg was lost. */
  | { kind: 'gone' }
  /**
   * The host drains: the same step continues in order at another host. What was spoken is in `lines` and in
   * the journal.
   */
  | { kind: 'moving' }
  /** A supervisor broke the step off. `wasSpeaking`: the agent still had to say something. */
  | { kind: 'intervened'; wasSpeaking: boolean }
  /**
   * A provider failed; the host spoke a fallback line and did not listen. `stage` names the provider. The
   * model is asked again in a separate turn.
   */
  | { kind: 'fault'; stage: 'llm' | 'tts' | 'stt'; message: string };

/** Usage of providers, by `provider|||model`. */
export interface SpokenUsage {
  /** Null when no model was asked. */
  llm: {
    service: string;
    promptTokens: number;
    completionTokens: number;
    totalTokens: number;
    cachedPromptTokens: number;
    estimated: boolean;
  } | null;
  /** Characters. */
  tts: Record<string, number>;
  /** Seconds of audio. */
  stt: Record<string, number>;
}

/** Times within a turn, in milliseconds after `zeroAt`; null when the event did not happen. */
export interface TurnTimings {
  /** The zero of all times, ISO 8601. */
  zeroAt: string;
  speechEndMs: number | null;
  turnDecidedMs: number | null;
  /** The Workflow requested the step. */
  claimedMs: number | null;
  llmSentMs: number | null;
  llmFirstTokenMs: number | null;
  firstClauseMs: number | null;
  ttsSentMs: number | null;
  ttsFirstByteMs: number | null;
  firstFrameSentMs: number | null;
  interruptedMs: number | null;
  playoutEndMs: number | null;
  /** Name of the model that answered; absent when no answer was completed. */
  model?: string;
}
