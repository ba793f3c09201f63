/**
 * Turn taking (docs/turn-taking.md): what a media host tells the state machine, and what the machine asks of
 * it. All times are milliseconds of one monotonic clock of the host; whoever drives the machine never goes
 * back in it.
 */

/**
 * From the pinned version's settings (contract 3.1, 3.2), complete, clamped and in milliseconds;
 * `readTurnSettings` makes it.
 */
export interface TurnSettings {
  startStrategy: 'default' | 'min_words' | 'provisional_vad';
  /** At least 1. */
  minWords: number;
  /** At least 100. */
  provisionalPauseMs: number;
  stopStrategy: 'transcription' | 'turn_analyzer';
  /** The longest silence that `turn_analyzer` waits when it takes the sentence for unfinished. */
  smartTurnStopMs: number;
  /** Silence after which a turn is closed even when the stop strategy has not decided. */
  userTurnStopTimeoutMs: number;
  /** The caller's silence until `idle`; 0 = off. */
  idleMs: number;
  /** Since media flow; what a host before this one has used is taken off. */
  maxDurationMs: number;
  /** The closing line begins this long before the limit. */
  closingLeadMs: number;
  /** The recognizer's 99th percentile from the end of speech to the final text. */
  p99FinalMs: number;
  /**
   * The recognizer tells words before they are final. Without them, a voice without words is borne longer.
   */
  hasInterims: boolean;
  /**
   * The recognizer tells turns itself: `turn_start_strategy` is ignored and `utterance_ended` ends a turn
   * (contract 3.2).
   */
  marksTurns: boolean;
  /** BCP 47 of the recognizer; `multi` when it may be any. */
  language: string;
  /** Said while listening: no interruption. Lower case, without punctuation. */
  backchannels: readonly string[];
  /** Null = off. */
  voicemail: { longSpeechMs: number } | null;
}

export type TurnEvent =
  /** Media are live. The first event. */
  | { kind: 'began' }
  /**
   * A reply begins; sound follows, or not. `listens: false` = nobody waits for what the caller says after it:
   * the next reply, or the end, follows (absent = true). Whatever was speculated on is claimed or given up
   * now.
   */
  | { kind: 'reply_began'; allowInterrupt: boolean; isFirst: boolean; listens?: boolean }
  /**
   * The wire goes from silence to speech: at the first frame of a reply, and when it goes on after
   * `audio_drained`.
   */
  | { kind: 'audio_started' }
  /** Everything that was sent has been played. */
  | { kind: 'audio_drained' }
  /** Nothing will be added to this reply. Once it has been played too, the floor is the caller's. */
  | { kind: 'reply_complete' }
  /** The caller has the floor, also without any reply before. */
  | { kind: 'listen' }
  | { kind: 'tool_began' }
  | { kind: 'tool_ended' }
  | { kind: 'voice_started' }
  /** After `voiceStopMs` of silence (src/domain/audio/voice-activity.ts). */
  | { kind: 'voice_stopped' }
  | { kind: 'interim'; text: string }
  | { kind: 'final'; text: string; speechFinal: boolean; segmentId: string }
  /** The recognizer takes the utterance for ended. */
  | { kind: 'utterance_ended' }
  /** The answer to `analyze`. */
  | { kind: 'analyzed'; isComplete: boolean }
  /**
   * The answer to `classify_opening`. For a machine, output that was held back stays so: nothing resumes it.
   */
  | { kind: 'opening_classified'; isMachine: boolean }
  | { kind: 'dtmf'; digit: string }
  /** `nextDeadlineMs` has come. */
  | { kind: 'time' };

/** To be carried out in order, at once. */
export type TurnCommand =
  /**
   * Clear what was sent, abort what is being made, find out what was heard. It ends a pause too. The floor is
   * the caller's.
   */
  | { kind: 'interrupt' }
  /** Stop sending, keep what is there. Also before anything was sent: then nothing is to begin. */
  | { kind: 'pause_output' }
  /** Go on where it stopped. */
  | { kind: 'resume_output' }
  | { kind: 'finalize_recogniser' }
  /**
   * Ask the `TurnAnalyzer` about what the caller has said so far; `analyzed` is the answer. A later question
   * replaces an earlier one.
   */
  | { kind: 'analyze'; text: string }
  /**
   * Ask the model ahead; nothing is to be heard of it, and nothing done, before it is claimed. At most three
   * a turn.
   */
  | { kind: 'speculate'; text: string }
  | { kind: 'drop_speculation' }
  /**
   * The caller's utterance. What was speculated on and not dropped before it answers it. Then nobody listens
   * until a reply or `listen`.
   */
  | { kind: 'end_turn'; text: string; speechStartedAtMs: number; speechEndedAtMs: number }
  /** Digits until a pause or `#`; a lone `#` is `#`. Then nobody listens, as after `end_turn`. */
  | { kind: 'keypad'; digits: string }
  /**
   * The caller was silent for `idleMs`; who counts is the call's Workflow. Then nobody listens, as after
   * `end_turn`.
   */
  | { kind: 'idle' }
  /** Time for the closing line. Once a call. */
  | { kind: 'time_up' }
  /**
   * What comes from the caller is not listened to (contract 3.2): for screens, the machine ignores it anyway.
   */
  | { kind: 'mute_started' }
  | { kind: 'mute_stopped' }
  /**
   * Person or machine? `opening_classified` is the answer; without one in time it was a person. Once a call.
   */
  | { kind: 'classify_opening'; text: string }
  /** The caller's turn begins: for screens. */
  | { kind: 'user_started' }
  /**
   * What cut the agent off was no speech, a cough say: no words came. What was not heard may be said again.
   */
  | { kind: 'false_interruption' }
  /**
   * Words that are part of no turn: said while the caller was muted, or said only to show attention. For
   * traces.
   */
  | { kind: 'ignored'; text: string; reason: 'muted' | 'backchannel' };
