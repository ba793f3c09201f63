/**
 * Turn taking (docs/turn-taking.md): the events that a media host sends to the state machine, and the
 * commands that the machine returns. All times are milliseconds of one monotonic clock of the host and never
 * decrease.
 */

/**
 * The settings of the pinned version (contract 3.1, 3.2): complete, clamped, in milliseconds.
 * `readTurnSettings` makes them.
 */
export interface TurnSettings {
  startStrategy: 'default' | 'min_words' | 'provisional_vad';
  /** At least 1. */
  minWords: number;
  /** At least 100. */
  provisionalPauseMs: number;
  stopStrategy: 'transcription' | 'turn_analyzer';
  /** Maximum silence of `turn_analyzer` after an unfinished sentence. */
  smartTurnStopMs: number;
  /** Silence that ends a turn even if the stop strategy has not decided. */
  userTurnStopTimeoutMs: number;
  /** The caller's silence until `idle`; 0 = off. */
  idleMs: number;
  /** Since media flow began, minus the time that earlier hosts used. */
  maxDurationMs: number;
  /** The closing line begins this long before the limit. */
  closingLeadMs: number;
  /** 99th percentile of the recognizer's delay from the end of speech to the final. */
  p99FinalMs: number;
  /** The recognizer sends interims. Without them, a voice without words gets more time. */
  hasInterims: boolean;
  /**
   * The recognizer detects turns: `turn_start_strategy` is ignored and `utterance_ended` ends a turn
   * (contract 3.2).
   */
  marksTurns: boolean;
  /** BCP 47 tag of the recognizer's language, or `multi`. */
  language: string;
  /** Phrases that show attention and do not interrupt. Lower case, without punctuation. */
  backchannels: readonly string[];
  /** Null when off. */
  voicemail: { longSpeechMs: number } | null;
}

export type TurnEvent =
  /** Media flow. The first event. */
  | { kind: 'began' }
  /**
   * A reply begins; its sound may follow. With `listens: false` (default true), no one waits for the caller
   * after it: the next reply or the end follows. The reply claims or discards whatever was asked ahead.
   */
  | { kind: 'reply_began'; allowInterrupt: boolean; isFirst: boolean; listens?: boolean }
  /**
   * Speech begins on the wire: with the first frame of a reply, and when it continues after `audio_drained`.
   */
  | { kind: 'audio_started' }
  /** The person has heard everything that was sent. */
  | { kind: 'audio_drained' }
  /** The reply is complete. Once the person has heard it, the caller gets the floor. */
  | { kind: 'reply_complete' }
  /** The caller gets the floor, even without a reply before. */
  | { kind: 'listen' }
  | { kind: 'tool_began' }
  | { kind: 'tool_ended' }
  | { kind: 'voice_started' }
  /** After `voiceStopMs` of silence (src/domain/audio/voice-activity.ts). */
  | { kind: 'voice_stopped' }
  | { kind: 'interim'; text: string }
  | { kind: 'final'; text: string; speechFinal: boolean; segmentId: string }
  /** Words that the caller typed: they interrupt wherever the caller may, and end the turn. */
  | { kind: 'typed'; text: string }
  /** The recognizer considers the utterance ended. */
  | { kind: 'utterance_ended' }
  /** Answers `analyze`. */
  | { kind: 'analyzed'; isComplete: boolean }
  /** Answers `classify_opening`. For a machine, paused output stays paused. */
  | { kind: 'opening_classified'; isMachine: boolean }
  | { kind: 'dtmf'; digit: string }
  /** The caller is gone. A turn with words ends when their final is known. */
  | { kind: 'hung_up' }
  /** `nextDeadlineMs` has passed. */
  | { kind: 'time' };

/** To be carried out in order, at once. */
export type TurnCommand =
  /**
   * Clear what was sent, abort what is being made, and find out what was heard. Also ends a pause. The caller
   * gets the floor.
   */
  | { kind: 'interrupt' }
  /** Stop sending and keep the rest. Before the first sound: do not begin. */
  | { kind: 'pause_output' }
  /** Continue where the output stopped. */
  | { kind: 'resume_output' }
  | { kind: 'finalize_recognizer' }
  /**
   * Ask the `TurnAnalyzer` about the words so far; `analyzed` answers. A later question replaces an earlier
   * one.
   */
  | { kind: 'analyze'; text: string }
  /**
   * Ask the model ahead. The reply must not be heard or have effects before it is claimed. At most three per
   * turn.
   */
  | { kind: 'speculate'; text: string }
  | { kind: 'drop_speculation' }
  /**
   * The caller's utterance. A reply that was asked ahead and not dropped answers it. No one listens until the
   * next reply or `listen`.
   */
  | { kind: 'end_turn'; text: string; speechStartedAtMs: number; speechEndedAtMs: number }
  /** Digits until a pause or `#`; a lone `#` is `#`. No one listens afterwards, as after `end_turn`. */
  | { kind: 'keypad'; digits: string }
  /**
   * The caller was silent for `idleMs`. The Workflow counts these. No one listens afterwards, as after
   * `end_turn`.
   */
  | { kind: 'idle' }
  /** Time for the closing line. Once per call. */
  | { kind: 'time_up' }
  /** The caller is muted (contract 3.2). For screens: the machine ignores the caller anyway. */
  | { kind: 'mute_started' }
  | { kind: 'mute_stopped' }
  /**
   * Ask whether a person or a machine answered; `opening_classified` answers. Without an answer in time, it
   * was a person. Once per call.
   */
  | { kind: 'classify_opening'; text: string }
  /** The caller's turn begins. For screens. */
  | { kind: 'user_started' }
  /** The interruption was not speech, such as a cough: no words came. What was not heard may be said again. */
  | { kind: 'false_interruption' }
  /** Words of no turn: said while muted, or only to show attention. For traces. */
  | { kind: 'ignored'; text: string; reason: 'muted' | 'backchannel' };
