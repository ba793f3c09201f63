import type { TurnCommand, TurnSettings } from './types.ts';
import { joinTexts } from './words.ts';

/**
 * Where a conversation stands. Invariants:
 *  - V1. A turn ends only while the floor is the caller's; what is said before that waits in `pending`.
 *  - V2. While `isMuted`, no turn is open and no `interrupt` is ordered.
 *  - V3. Every word of a final is in `pending`, in one `end_turn` or in one `ignored`.
 *  - V4. At most one pause holds the output.
 */
export interface TurnState {
  readonly atMs: number;
  /**
   * Who is to speak; `nobody` = the caller's turn has been handed on and its answer has not begun, or nobody
   * listens.
   */
  readonly floor: 'nobody' | 'agent' | 'caller';
  readonly floorSinceMs: number;
  readonly reply: Reply | null;
  /** Tools that run. */
  readonly toolCount: number;
  /** Until the agent's first utterance has been heard. */
  readonly isOpeningMuted: boolean;
  readonly isMuted: boolean;
  readonly voice: Voice;
  readonly turn: CallerTurn | null;
  /** Finals that are in no turn that ended, in order. */
  readonly pending: readonly PendingWords[];
  /**
   * What the recognizer makes of the words that are not final yet, without those that a turn took already.
   */
  readonly interim: string;
  /** The same as it was told. */
  readonly wholeInterim: string;
  /** The same interim came again. */
  readonly isInterimStable: boolean;
  /** The last interim or final that was listened to. */
  readonly wordsAtMs: number | null;
  /** The last words of any kind, also those that nobody listened to. */
  readonly anyWordsAtMs: number | null;
  readonly finalAtMs: number | null;
  /** The last words that no voice explains: said too softly for the VAD. */
  readonly voicelessWordsAtMs: number | null;
  readonly utteranceEndedAtMs: number | null;
  /** Of finals, the last `keptSegmentIds`: a recognizer that reconnects repeats some. */
  readonly segmentIds: readonly string[];
  /** Interim words that an `end_turn` took ahead of their final. */
  readonly takenInterim: string;
  /** When the last turn was handed on. */
  readonly turnEndedAtMs: number | null;
  /** The analyzer's answer; null = none to the present question. */
  readonly isComplete: boolean | null;
  readonly pause: Pause | null;
  readonly speculation: { readonly text: string | null; readonly count: number };
  readonly keypad: { readonly digits: string; readonly atMs: number; readonly isDone: boolean } | null;
  readonly opening: Opening | null;
  readonly timeUpAtMs: number | null;
  readonly dueAtMs: number | null;
}

export interface Reply {
  readonly allowInterrupt: boolean;
  readonly listens: boolean;
  readonly sound: 'none' | 'playing' | 'played';
  readonly isComplete: boolean;
  /** `provisional_vad`: a pause was in vain. */
  readonly isLockedOut: boolean;
  readonly beganAtMs: number;
}

export interface Voice {
  readonly isActive: boolean;
  readonly startedAtMs: number | null;
  readonly stoppedAtMs: number | null;
  /** All of it came while the caller was muted. */
  readonly isMuted: boolean;
  /** It goes on without words: music, a fan, a street. It counts as silence. */
  readonly isNoise: boolean;
}

export interface CallerTurn {
  readonly openedAtMs: number;
  readonly speechStartedAtMs: number;
  /** It cut off speech that was heard. */
  readonly cutOff: boolean;
}

export interface PendingWords {
  readonly text: string;
  readonly atMs: number;
  /**
   * `late`: came after their turn had ended, and go with the next one. `backchannel`: only shown attention,
   * while the agent spoke.
   */
  readonly kind: 'words' | 'late' | 'backchannel';
}

export type Pause =
  /** `provisional_vad`: an interruption that words are to confirm. */
  | { readonly kind: 'provisional'; readonly untilMs: number }
  /** A reply that has made no sound waits for what the caller is saying. */
  | { readonly kind: 'held'; readonly sinceMs: number }
  /** Output waits until person or machine is known. */
  | { readonly kind: 'opening' };

/** The far end's first turn (`voicemail_detection`). */
export interface Opening {
  readonly beganAtMs: number;
  readonly voiceAtMs: number | null;
  readonly text: string;
  readonly interim: string;
  readonly wordsAtMs: number | null;
  readonly askedAtMs: number | null;
}

/** One step of the machine: handlers put new states and commands here. */
export interface Update {
  readonly settings: TurnSettings;
  atMs: number;
  state: TurnState;
  readonly commands: TurnCommand[];
}

const silence: Voice = {
  isActive: false,
  startedAtMs: null,
  stoppedAtMs: null,
  isMuted: false,
  isNoise: false,
};

/** Before `began`. */
export function freshState(atMs: number): TurnState {
  return {
    atMs,
    floor: 'nobody',
    floorSinceMs: atMs,
    reply: null,
    toolCount: 0,
    isOpeningMuted: false,
    isMuted: false,
    voice: silence,
    turn: null,
    pending: [],
    interim: '',
    wholeInterim: '',
    isInterimStable: false,
    wordsAtMs: null,
    anyWordsAtMs: null,
    finalAtMs: null,
    voicelessWordsAtMs: null,
    utteranceEndedAtMs: null,
    segmentIds: [],
    takenInterim: '',
    turnEndedAtMs: null,
    isComplete: null,
    pause: null,
    speculation: { text: null, count: 0 },
    keypad: null,
    opening: null,
    timeUpAtMs: null,
    dueAtMs: null,
  };
}

export function change(update: Update, fields: Partial<TurnState>): void {
  update.state = { ...update.state, ...fields };
}

export function order(update: Update, command: TurnCommand): void {
  update.commands.push(command);
}

/** The caller makes a sound that may be speech. */
export const isVoiceOn = ({ voice }: TurnState): boolean => voice.isActive && !voice.isNoise;

/** The agent is heard: sound has begun and the reply is not over. */
export const isAudible = ({ reply }: TurnState): boolean => reply !== null && reply.sound !== 'none';

/** What the caller has said in the turn so far, what is not final included. */
export const textOf = ({ pending, interim }: TurnState): string =>
  joinTexts([...pending.map(({ text }) => text), interim]);
