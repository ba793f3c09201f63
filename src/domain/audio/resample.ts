import { clip, joinSamples } from './samples.ts';

/** Samples per second that calls, speech recognizers and voices use. */
export type SpeechRate = 8000 | 16000 | 24000;

/**
 * Changes the sample rate of a stream. The result does not depend on how the stream is split. With `flush`,
 * the output lasts as long as the input, rounded up to a sample. The resampler looks ahead 8 samples of the
 * lower rate: 1 ms at 8,000 per second.
 */
export interface Resampler {
  push(samples: Int16Array): Int16Array;
  /** Returns the tail that waited for more samples, and resets the resampler. */
  flush(): Int16Array;
}

/** Half the length of the filter, in periods of the lower rate. */
const reach = 8;
/** Share of half the lower rate; the filter stops frequencies above it. */
const passband = 0.9;

/** Rates are whole samples per second. */
export function createResampler({ from, to }: { from: number; to: SpeechRate }): Resampler {
  if (from === to) return { push: (samples) => samples, flush: () => new Int16Array(0) };
  const common = commonDivisor(from, to);
  return new PolyphaseResampler(to / common, from / common);
}

/** Resamples a whole recording. */
export function resample(samples: Int16Array, rates: { from: number; to: SpeechRate }): Int16Array {
  const resampler = createResampler(rates);
  return joinSamples([resampler.push(samples), resampler.flush()]);
}

const commonDivisor = (one: number, other: number): number =>
  other === 0 ? one : commonDivisor(other, one % other);

/** Upsamples by `up`, filters, and downsamples by `down`; it computes only the samples that are kept. */
class PolyphaseResampler implements Resampler {
  readonly #up: number;
  readonly #down: number;
  readonly #center: number;
  readonly #filter: Float64Array;
  #input: Int16Array = new Int16Array(0);
  /** Position of `#input[0]` in the stream. */
  #first = 0;
  /** Position of the next output sample. */
  #next = 0;

  constructor(up: number, down: number) {
    this.#up = up;
    this.#down = down;
    this.#center = reach * Math.max(up, down);
    this.#filter = lowPass(this.#center, passband / Math.max(up, down), up);
  }

  push(samples: Int16Array): Int16Array {
    const input = new Int16Array(this.#input.length + samples.length);
    input.set(this.#input);
    input.set(samples, this.#input.length);
    this.#input = input;
    const known = this.#first + input.length;
    return this.#give(Math.floor((known * this.#up - 1 - this.#center) / this.#down) + 1);
  }

  flush(): Int16Array {
    const known = this.#first + this.#input.length;
    const tail = this.#give(Math.ceil((known * this.#up) / this.#down));
    this.#input = new Int16Array(0);
    this.#first = 0;
    this.#next = 0;
    return tail;
  }

  #give(end: number): Int16Array {
    const output = new Int16Array(Math.max(0, end - this.#next));
    for (let index = 0; index < output.length; index += 1)
      output[index] = this.#at((this.#next + index) * this.#down);
    this.#next += output.length;
    this.#forget();
    return output;
  }

  /** The filtered value at a position of the intermediate rate. */
  #at(position: number): number {
    const input = this.#input;
    const filter = this.#filter;
    const up = this.#up;
    const first = this.#first;
    const last = Math.min(Math.floor((position + this.#center) / up), first + input.length - 1);
    const begin = Math.max(0, Math.ceil((position - this.#center) / up));
    let tap = position - begin * up + this.#center;
    let sum = 0;
    for (let index = begin - first; index <= last - first; index += 1) {
      sum += (input[index] ?? 0) * (filter[tap] ?? 0);
      tap -= up;
    }
    return clip(sum);
  }

  #forget(): void {
    const needed = Math.max(0, Math.ceil((this.#next * this.#down - this.#center) / this.#up));
    if (needed <= this.#first) return;
    this.#input = this.#input.slice(needed - this.#first);
    this.#first = needed;
  }
}

/**
 * A sinc under a Blackman window. `cutoff` is a share of half the intermediate rate. Each of the `up` phases
 * passes a constant unchanged.
 */
function lowPass(center: number, cutoff: number, up: number): Float64Array {
  const filter = Float64Array.from({ length: 2 * center + 1 }, (_, index) => {
    const x = (index - center) * cutoff * Math.PI;
    const angle = (Math.PI * index) / center;
    const window = 0.42 - 0.5 * Math.cos(angle) + 0.08 * Math.cos(2 * angle);
    return (x === 0 ? 1 : Math.sin(x) / x) * window;
  });
  for (let phase = 0; phase < up; phase += 1) {
    let sum = 0;
    for (let index = phase; index < filter.length; index += up) sum += filter[index] ?? 0;
    for (let index = phase; index < filter.length; index += up) filter[index] = (filter[index] ?? 0) / sum;
  }
  return filter;
}
