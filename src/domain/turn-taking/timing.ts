/** Figures of turn taking that no setting changes. Those marked *ours* are unproven on people. */

/** `transcription`: silence after the VAD's stop (contract 3.2). */
export const transcriptionSilenceMs = 600;
/** `turn_analyzer`: silence after the VAD's stop when the sentence is complete (ours). */
export const completeSilenceMs = 200;
/** A voice that brought no words was none: at least so long after it stopped (ours; others take 2 s). */
export const falseStartMs = 2000;
/** A voice without words for so long is noise (ours). Recognizers without interims get more time. */
export const noiseMs = { withInterims: 5000, withoutInterims: 15_000 };
/** Added to the recognizer's 99th percentile where an absence of words decides (ours). */
export const finalSlackMs = 200;
/** Words that come so soon after the end of a turn, without a new voice, belong to that turn (ours). */
export const lateMs = 2000;
/** The final of interim words that ended a turn comes by then, or never (ours). */
export const takenMs = 5000;
/** A backchannel so near the end of a reply is an answer to it. */
export const backchannelMarginMs = 1000;
/** Digits belong together. */
export const keypadPauseMs = 1500;
export const maxDigits = 32;
export const maxSpeculations = 3;
export const keptSegmentIds = 100;
/** Output is held back for a far end that says nothing, so long at most. */
export const openingHoldMs = 2500;
/** The classifier's time; after it the far end was a person. */
export const classifyLimitMs = 4000;
