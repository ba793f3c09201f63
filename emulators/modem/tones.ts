/**
 * The alphabet of the modem (README.md in this folder). Every tone is a multiple of 50 Hz, so that it begins
 * and ends a symbol of 60 ms at zero, and all are within a phone call's 300 to 3,400 Hz.
 */
export type ModemRate = 8000 | 16000 | 24000;

export const symbolMs = 60;

const series = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => first + index * 50);

/** One for each value of a byte's low four bits. */
export const lowTones = series(400, 16);
/** One for each value of a byte's high four bits. */
export const highTones = series(1400, 16);
/**
 * The third tone marks the symbols: the first byte of a text has the last of these, the others alternate
 * between the first two.
 */
export const clockTones = [2600, 2900, 3200];
export const startClock = 2;

/** Three tones of this amplitude together have an RMS of 0.20 of full scale. */
export const toneAmplitude = 0.163;
