/** Fixed values of turn taking. Those marked *ours* are not tested on people. */

/** `transcription`: silence after the VAD's stop (contract 3.2). */
export const transcriptionSilenceMs = 600;
/** `turn_analyzer`: silence after the VAD's stop when the sentence is complete (ours). */
export const completeSilenceMs = 200;
/** A turn without words ends this long after its voice stopped (ours; others use 2 s). */
export const falseStartMs = 2000;
/** A voice without words for this long is noise (ours). Recognizers without interims get more time. */
export const noiseMs = { withInterims: 5000, withoutInterims: 15_000 };
/** Added to the recognizer's 99th percentile before missing words decide (ours). */
export const finalSlackMs = 200;
/** Words this soon after the end of a turn, without a new voice, belong to that turn (ours). */
export const lateMs = 2000;
/** Maximum wait for the last words of a caller who has hung up (ours). */
export const lastWordsMs = 800;
/** Maximum wait for the final of interim words that ended a turn (ours). */
export const takenMs = 5000;
/** A backchannel this close to the end of a reply answers it. */
export const backchannelMarginMs = 1000;
/** Digits with shorter pauses belong together. */
export const keypadPauseMs = 1500;
export const maxDigits = 32;
export const maxSpeculations = 3;
export const keptSegmentIds = 100;
/** Maximum wait for a silent far end. */
export const openingHoldMs = 2500;
/** Maximum wait for the classifier; after it, the far end counts as a person. */
export const classifyLimitMs = 4000;
