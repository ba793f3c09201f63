import type { TurnCommand, TurnSettings } from './types.ts';
import { joinTexts } from '../speech/words.ts';

/**
 * The state of turn taking. Invariants:
 *  - V1. A turn ends only while the floor is the caller's; earlier words wait in `pending`.
 *  - V2. While `isMuted`, no turn is open and no `interrupt` is ordered.
 *  - V3. Every word of a final is in `pending`, in one `end_turn` or in one `ignored`.
 *  - V4. At most one pause holds the output.
 */
export interface TurnState {
  readonly atMs: number;
  /** Who may speak. `nobody`: the answer to the caller's turn has not begun, or no one listens. */
  readonly floor: 'nobody' | 'agent' | 'caller';
  readonly floorSinceMs: number;
  readonly reply: Reply | null;
  /** Number of running tools. */
  readonly toolCount: number;
  /** The agent's first utterance has not been heard to its end. */
  readonly isOpeningMuted: boolean;
  readonly isMuted: boolean;
  readonly voice: Voice;
  readonly turn: CallerTurn | null;
  /** Finals of no ended turn, in order. */
  readonly pending: readonly PendingWords[];
  /** Words that are not final yet, without those that an ended turn has taken. */
  readonly interim: string;
  /** The interim text as the recognizer sent it. */
  readonly wholeInterim: string;
  /** The recognizer sent the same interim twice. */
  readonly isInterimStable: boolean;
  /** When the last words came that count for a turn. */
  readonly wordsAtMs: number | null;
  /** When the last words of any kind came. */
  readonly anyWordsAtMs: number | null;
  readonly finalAtMs: number | null;
  /** When the last words without a voice came: too soft for the voice detection. */
  readonly voicelessWordsAtMs: number | null;
  /** When the caller typed words that no `end_turn` has taken yet. */
  readonly typedAtMs: number | null;
  readonly utteranceEndedAtMs: number | null;
  /** When the caller hung up, and whether words of theirs may still come. */
  readonly hungUp: { readonly atMs: number; readonly isFinalDue: boolean } | null;
  /** The last `keptSegmentIds` finals: a recognizer repeats some after a reconnect. */
  readonly segmentIds: readonly string[];
  /** Interim words that an `end_turn` took before their final. */
  readonly takenInterim: string;
  /** When the last turn ended. */
  readonly turnEndedAtMs: number | null;
  /** The analyzer's answer; null when it has not answered the current question. */
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
  /** `provisional_vad`: a pause ended without words. */
  readonly isLockedOut: boolean;
  readonly beganAtMs: number;
}

export interface Voice {
  readonly isActive: boolean;
  readonly startedAtMs: number | null;
  readonly stoppedAtMs: number | null;
  /** It began and ended while the caller was muted. */
  readonly isMuted: boolean;
  /** It goes on without words, like music, a fan or a street, and counts as silence. */
  readonly isNoise: boolean;
}

export interface CallerTurn {
  readonly openedAtMs: number;
  readonly speechStartedAtMs: number;
  /** It interrupted a reply that was heard. */
  readonly hasInterrupted: boolean;
}

export interface PendingWords {
  readonly text: string;
  readonly atMs: number;
  /**
   * `late`: came after the end of their turn and join the next one. `backchannel`: only showed attention
   * while the agent spoke.
   */
  readonly kind: 'words' | 'late' | 'backchannel';
}

export type Pause =
  /** `provisional_vad`: an interruption that words have to confirm. */
  | { readonly kind: 'provisional'; readonly untilMs: number }
  /** A reply without sound so far waits for what the caller is saying. */
  | { readonly kind: 'held'; readonly sinceMs: number }
  /** Output waits until it is known whether a person or a machine answered. */
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

/** The update of the state by one event: handlers set the new state and append commands. */
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

/** The state before `began`. */
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
    typedAtMs: null,
    utteranceEndedAtMs: null,
    hungUp: null,
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

/** The person hears the agent: sound has begun and the reply is not over. */
export const isAudible = ({ reply }: TurnState): boolean => reply !== null && reply.sound !== 'none';

/** What the caller has said in the turn so far, interim words included. */
export const textOf = ({ pending, interim }: TurnState): string =>
  joinTexts([...pending.map(({ text }) => text), interim]);
