import type { ToolCallRequest } from './tool-call.ts';
import type { Line } from './line.ts';
import type { Step } from './turn.ts';
import type { ToolRound } from './tool-round.ts';

/**
 * What a call's Workflow and the media host that speaks for it tell each other (docs/architecture.md, A phone
 * call). Small: no prompt, no secret, no transcript of earlier turns. A *generation* counts the hosts
 * that a call has had: what an older one says is ignored.
 */

/** A call that is spoken, as its Workflow is told. */
export interface VoiceChannel {
  kind: 'phone' | 'web';
  /** The carrier that the call goes over; absent in a browser. */
  provider?: string;
  direction: 'inbound' | 'outbound';
  /** Seconds of contract 3.2 in milliseconds: the whole conversation from the moment that media flow. */
  maxDurationMs: number;
  /** The carrier connection; null in a browser. */
  configurationId: number | null;
  /** The platform's number that the person sees, or that was called; null in a browser. */
  phoneNumberId: number | null;
  /** An inbound leg that waits to be answered. */
  ringing?: { callControlId: string; legId: string | null; sessionId: string | null };
  /** The person was dialed with detection of answering machines. */
  detectsMachines: boolean;
  /**
   * What is to be left on an answering machine: the agent has something. Absent = nothing, the line is hung
   * up.
   */
  leavesMessage?: true;
  /** The host that has the browser's socket already. */
  host?: { hostId: string; hostQueue: string };
}

/** A place at a media host. The token of its stream is in MySQL alone (`call_seats`). */
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
   * This host takes no more calls now; another one may. `elsewhere`: the queue of a host that has room, as
   * far as MySQL knows.
   */
  | { kind: 'full'; elsewhere?: string };

/**
 * What a media host does for calls: `claimSeat` on the shared queue, the others on its own. The Workflow
 * names them so.
 */
export interface MediaActivities {
  claimSeat(input: ClaimSeatInput): Promise<ClaimSeatOutcome>;
  /** Heartbeats. One attempt: a lost host is never asked again. */
  speakStep(input: SpeakStepInput): Promise<SpokenStep>;
  /** Harmless when the seat is gone already. */
  releaseSeat(input: ClaimSeatInput): Promise<void>;
}

/** One step of a turn, spoken: reply, and the next utterance when the model stays at the node. */
export interface SpeakStepInput {
  callId: number;
  organizationId: number;
  versionId: number;
  generation: number;
  step: Step;
  /** Lines of this turn so far, the caller's first; not committed yet. */
  pendingLines: Line[];
  /** Tools used in this turn so far; absent = none. */
  toolRounds?: ToolRound[];
  say: Say;
  /** False at an End Call node and before a hang-up: the step ends when all was heard. */
  listens: boolean;
}

export type Say =
  /** Greeting, transition speech, model: as the step's entry says. */
  | { kind: 'reply' }
  /**
   * The caller was silent for `max_user_idle_timeout`: the model is told to look whether somebody is there
   * (contract 3.2).
   */
  | { kind: 'check_in' }
  /** A closing line, then nothing (`listens` is false). */
  | { kind: 'goodbye'; reason: 'idle' | 'duration' | 'fault' }
  /** What is to be left on an answering machine. */
  | { kind: 'voicemail_message' }
  /**
   * Words that somebody else chose, such as those of a transfer's resolver (contract 12.7); `listens` is
   * false.
   */
  | { kind: 'line'; text: string }
  /**
   * After a host was lost: a recovery line, then what of this very step was not heard, out of the journal;
   * then the step goes on. The answer is the whole step's: what earlier hosts said of it is in `lines` too,
   * in order.
   */
  | {
      kind: 'resume';
      /** The last host moved the call in order: nothing was cut, and no recovery line is said. */ inOrder?: true;
    };

export interface SpokenStep {
  /**
   * What was heard of the agent in this step, in order, whichever host said it. A line that was cut off ends
   * where hearing ended.
   */
  lines: Line[];
  /** Edge that the model chose; null when it stays, or when the caller interrupted. */
  chosenEdge: string | null;
  /** Tools to run, in this order; absent = none. */
  toolCalls?: ToolCallRequest[];
  usage: SpokenUsage;
  timings: TurnTimings | null;
  /** When the step began, ISO 8601. */
  begunAt: string;
  /** Of the node; absent = false. */
  allowInterrupt?: true;
  wasInterrupted: boolean;
  next: AfterSpeaking;
}

export type AfterSpeaking =
  /** Nothing was listened for: an edge, tools, or an end. */
  | { kind: 'spoken' }
  | { kind: 'utterance'; text: string; /** ISO 8601. */ startedAt: string; endedAt: string }
  /** Digits on the keypad, until a pause or `#`. */
  | { kind: 'keypad'; digits: string; at: string }
  | { kind: 'silence' }
  /** `max_call_duration` is nearly over: time for a closing line. */
  | { kind: 'time_up' }
  /** The opening was an answering machine's, by its words (contract 3.2). */
  | { kind: 'voicemail' }
  /** The stream has ended: the person, or the line, is gone. */
  | { kind: 'gone' }
  /**
   * The host stops: the call is to be placed elsewhere, and the same step goes on there in order. What was
   * said of it is in `lines` and in the journal.
   */
  | { kind: 'moving' }
  /**
   * A fallback line was said because a provider failed, and nothing was listened for; `stage` says which. The
   * model is asked again in a turn of its own.
   */
  | { kind: 'fault'; stage: 'llm' | 'tts' | 'stt'; message: string };

/** What providers were used for, by `provider|||model`. */
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

/**
 * Times within a turn, in milliseconds after `zeroAt`; null where the event did not happen.
 */
export interface TurnTimings {
  /** ISO 8601 of zero. */
  zeroAt: string;
  speechEndMs: number | null;
  turnDecidedMs: number | null;
  /** The Workflow asked for the step. */
  claimedMs: number | null;
  llmSentMs: number | null;
  llmFirstTokenMs: number | null;
  firstClauseMs: number | null;
  ttsSentMs: number | null;
  ttsFirstByteMs: number | null;
  firstFrameSentMs: number | null;
  interruptedMs: number | null;
  playoutEndMs: number | null;
  model?: string;
}
