import { clockTones, highTones, lowTones, type ModemRate } from './tones.ts';

/** A reading is made per block, over the last three blocks. */
export const blockMs = 10;
const blocksOfWindow = 3;

/** The tones within 30 ms. Powers are by value of a half byte. */
export interface Reading {
  clock: number;
  /** 0 to 1: how clearly one clock tone dominates; small where two symbols meet. */
  weight: number;
  low: Float64Array;
  high: Float64Array;
}

const blockSamples = 80;
const tones = [...lowTones, ...highTones, ...clockTones];
const firstClock = lowTones.length + highTones.length;

/**
 * A full symbol has a third of its power in the clock tone, noise a hundredth in any tone; a third of a
 * symbol has a ninth.
 */
const minClockShare = 0.08;
const minToneShare = 0.04;
/** Below this mean square (about -56 dB) the sound is silence, whatever the bits say. */
const minPower = 2500;

/** Every tone turns a whole number of times in two blocks, so that one table of 20 ms serves all of them. */
const waves = tones.map((hertz) => {
  const turn = (2 * Math.PI * hertz) / 8000;
  const period = Array.from({ length: 2 * blockSamples }, (_, index) => index);
  return {
    cosines: Float64Array.from(period, (index) => Math.cos(turn * index)),
    sines: Float64Array.from(period, (index) => Math.sin(turn * index)),
  };
});

/** One block as seen by every tone: the two parts of its amplitude, and the sum of squares of the block. */
interface Block {
  real: Float64Array;
  imaginary: Float64Array;
  energy: number;
}

/**
 * Measures the modem's tones in a stream of samples (one Goertzel filter per tone, as sums over blocks of 10
 * ms). Calls `onReading` for each block, with null where there is no symbol.
 */
export class ToneReader {
  readonly #onReading: (reading: Reading | null) => void;
  readonly #decimation: number;
  readonly #block = new Float64Array(blockSamples);
  #filled = 0;
  #sum = 0;
  #summed = 0;
  #isOdd = false;
  #window: Block[] = [];

  constructor(sampleRate: ModemRate, onReading: (reading: Reading | null) => void) {
    this.#decimation = sampleRate / 8000;
    this.#onReading = onReading;
  }

  push(samples: Int16Array): void {
    for (let index = 0; index < samples.length; index += 1) {
      this.#sum += samples[index] ?? 0;
      this.#summed += 1;
      if (this.#summed < this.#decimation) continue;
      this.#block[this.#filled] = this.#sum / this.#decimation;
      this.#sum = 0;
      this.#summed = 0;
      this.#filled += 1;
      if (this.#filled === blockSamples) this.#read();
    }
  }

  #read(): void {
    this.#filled = 0;
    const offset = this.#isOdd ? blockSamples : 0;
    this.#isOdd = !this.#isOdd;
    this.#window = [...this.#window.slice(1 - blocksOfWindow), measure(this.#block, offset)];
    this.#onReading(readingOf(this.#window));
  }
}

function measure(block: Float64Array, offset: number): Block {
  const energy = block.reduce((sum, sample) => sum + sample * sample, 0);
  const real = new Float64Array(tones.length);
  const imaginary = new Float64Array(tones.length);
  if (energy < (minPower * blockSamples) / 10) return { real, imaginary, energy };
  for (const [tone, { cosines, sines }] of waves.entries()) {
    let x = 0;
    let y = 0;
    for (let index = 0; index < blockSamples; index += 1) {
      const sample = block[index] ?? 0;
      x += sample * (cosines[offset + index] ?? 0);
      y += sample * (sines[offset + index] ?? 0);
    }
    real[tone] = x;
    imaginary[tone] = y;
  }
  return { real, imaginary, energy };
}

/** Null without a symbol: silence, or no three dominant tones. */
function readingOf(window: Block[]): Reading | null {
  const energy = window.reduce((sum, block) => sum + block.energy, 0);
  const samples = blocksOfWindow * blockSamples;
  if (energy / samples < minPower) return null;
  const powers = new Float64Array(tones.length);
  for (let tone = 0; tone < tones.length; tone += 1) {
    let x = 0;
    let y = 0;
    for (const { real, imaginary } of window) {
      x += real[tone] ?? 0;
      y += imaginary[tone] ?? 0;
    }
    // As a share of all power: a lone tone over the whole window gives 1.
    powers[tone] = ((x * x + y * y) * 2) / (samples * energy);
  }
  const low = powers.subarray(0, lowTones.length);
  const high = powers.subarray(lowTones.length, firstClock);
  const clocks = powers.subarray(firstClock);
  const lead = Math.max(...clocks);
  if (lead < minClockShare || Math.max(...low) < minToneShare || Math.max(...high) < minToneShare)
    return null;
  const second = [...clocks].toSorted((one, other) => other - one)[1] ?? 0;
  return { clock: clocks.indexOf(lead), weight: (lead - second) / (lead + second), low, high };
}
