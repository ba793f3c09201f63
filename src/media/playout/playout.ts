import type { Heard, Playout, PlayoutEvent } from '../leg.ts';
import { frameMs, type FrameClock } from './frame-clock.ts';
import { Latency } from './latency.ts';
import { createSpeechQueue, type SpeechQueue } from './speech-queue.ts';

/**
 * Sends speech and background noise over one stream, in frames of 20 ms.
 *
 *  - P1. The other end has at most `leadMs` of sound in advance: enough to bridge a late tick, and little
 *    enough for `clear` to take back.
 *  - P2. A frame counts as heard when its start, its length and the latency have passed. The latency is an
 *    estimate until the other end returns a mark, which it does when it has played everything before the
 *    mark. The end of all speech waits for its mark, so that no one hangs up on the last words: an estimate
 *    knows nothing of a line that lags just now.
 *  - P3. `pause` returns frames that were sent but not heard to the queue; `clear` drops them. In both cases
 *    the other end drops them, too.
 *  - P4. With background noise, frames go out all the time. Noise alone is sent less far in advance, so
 *    speech does not queue behind it.
 *  - P5. While the host is held, nothing is sent; afterwards speech continues where it stopped.
 */
export interface LegPlayout extends Playout {
  /** The other end returned a mark. */
  onMark(name: string): void;
  close(): void;
}

/** The outgoing side of a socket. */
export interface Wire {
  send(frame: Int16Array): void;
  mark(name: string): void;
  clear(): void;
}

export interface PlayoutOptions {
  sampleRate: 8000 | 16000;
  clock: FrameClock;
  wire: Wire;
  leadMs?: number;
  /** How far in advance noise alone is sent. */
  noiseLeadMs?: number;
  /** Estimated time from our clock to the person's ear, used until a mark measures it. */
  latencyMs?: number;
  /** Adds the background to a frame. Without it, nothing is sent while the agent is silent. */
  addNoise?: ((frame: Int16Array) => void) | undefined;
  /** Gets the samples that the person heard; they heard the first one at `atMs` of the clock. */
  onHeard?: (samples: Int16Array, atMs: number) => void;
  /** Gets the number of frames that the other end missed because we sent late. */
  onLate?: (frames: number) => void;
}

/** A frame that was sent but not heard yet. `from` and `to` are equal when it carries no speech. */
interface Sent {
  playAtMs: number;
  frame: Int16Array;
  from: number;
  to: number;
}

/** How long the end of speech waits for its mark after it should have come. */
const endPatienceMs = 1000;

const defaults = {
  leadMs: 120,
  noiseLeadMs: 40,
  latencyMs: 150,
  onHeard: () => undefined,
  onLate: () => undefined,
} as const;

/** A playout that sends its first frame when there is something to send, background noise included. */
export function createPlayout(options: PlayoutOptions): LegPlayout {
  return new FramePlayout(options);
}

class FramePlayout implements LegPlayout {
  readonly #options: PlayoutOptions & Required<Omit<PlayoutOptions, 'addNoise'>>;
  readonly #frameLength: number;
  readonly #queue: SpeechQueue;
  readonly #latency: Latency;
  readonly #listeners = new Set<(event: PlayoutEvent) => void>();
  #inFlight: Sent[] = [];
  #sentPosition = 0;
  #heardPosition = 0;
  #nextPlayAtMs: number;
  #isPaused = false;
  #isDrained = true;
  /** The mark behind all speech, while it may come back. */
  #end: { name: string; playedAtMs: number } | null = null;
  /** There was nothing to send since the last frame, so the next frame is not late. */
  #isCaughtUp = true;
  #isClosed = false;
  #leaveClock: (() => void) | null = null;

  constructor(options: PlayoutOptions) {
    this.#options = { ...defaults, ...options };
    this.#frameLength = (options.sampleRate * frameMs) / 1000;
    this.#queue = createSpeechQueue(options.sampleRate);
    this.#latency = new Latency(this.#options.latencyMs);
    this.#nextPlayAtMs = options.clock.now();
    if (this.#hasNoise) this.#wake();
  }

  add(part: { clauseId: number; samples: Int16Array; isLast: boolean }): void {
    this.#queue.add(part);
    this.#isDrained = false;
    this.#wake();
    // A clause without samples begins although no frame of it is sent.
    this.#reportBegun(this.#queue.takeBegun(this.#sentPosition), this.#now());
    this.#reportHeard(this.#now());
  }

  clear(): Heard[] {
    this.#recall();
    this.#queue.cut(this.#heardPosition);
    this.#sentPosition = this.#queue.end;
    this.#heardPosition = this.#queue.end;
    this.#isPaused = false;
    this.#isDrained = true;
    return this.#queue.heard(this.#heardPosition);
  }

  pause(): void {
    if (this.#isPaused) return;
    this.#recall();
    this.#isPaused = true;
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#wake();
  }

  heard(): Heard[] {
    this.#arrive(this.#now());
    return this.#queue.heard(this.#heardPosition);
  }

  get isIdle(): boolean {
    return this.#isDrained;
  }

  on(listener: (event: PlayoutEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  onMark(name: string): void {
    const nowMs = this.#now();
    const playedAtMs = this.#latency.returned(name, nowMs);
    if (playedAtMs === null) return;
    if (name === this.#end?.name) this.#end = null;
    this.#hearWhile((sent) => sent.playAtMs < playedAtMs);
    this.#reportHeard(nowMs);
  }

  close(): void {
    this.#isClosed = true;
    this.#rest();
    this.#arrive(this.#now());
    this.#inFlight = [];
    this.#listeners.clear();
  }

  get #hasNoise(): boolean {
    return this.#options.addNoise !== undefined;
  }

  #now(): number {
    return this.#options.clock.now();
  }

  #emit(event: PlayoutEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  #wake(): void {
    if (this.#isClosed) return;
    this.#leaveClock ??= this.#options.clock.join((nowMs) => this.#tick(nowMs));
    this.#tick(this.#now());
  }

  #rest(): void {
    this.#leaveClock?.();
    this.#leaveClock = null;
  }

  #tick(nowMs: number): void {
    this.#arrive(nowMs);
    this.#sendDue(nowMs);
    const hasNothingToSend = this.#isPaused || this.#sentPosition >= this.#queue.end;
    const isQuiet = this.#inFlight.length === 0 && hasNothingToSend && !this.#awaitsEnd(nowMs);
    if (!this.#hasNoise && isQuiet) this.#rest();
  }

  /** Counts the frames that were heard by now. */
  #arrive(nowMs: number): void {
    const heardUntilMs = nowMs - this.#latency.ms;
    this.#hearWhile((sent) => sent.playAtMs + frameMs <= heardUntilMs);
    this.#reportHeard(nowMs);
  }

  #hearWhile(isHeard: (sent: Sent) => boolean): void {
    for (let [first] = this.#inFlight; first !== undefined && isHeard(first); [first] = this.#inFlight) {
      this.#inFlight.shift();
      this.#hear(first);
    }
  }

  #hear({ frame, playAtMs, to }: Sent): void {
    this.#heardPosition = Math.max(this.#heardPosition, to);
    this.#options.onHeard(frame, playAtMs);
  }

  #reportHeard(atMs: number): void {
    this.#queue.release(this.#heardPosition);
    for (const clauseId of this.#queue.takePlayed(this.#heardPosition))
      this.#emit({ kind: 'clause_played', clauseId, atMs });
    if (this.#isDrained || this.#heardPosition < this.#queue.end || !this.#queue.isComplete) return;
    if (this.#awaitsEnd(atMs)) return;
    this.#isDrained = true;
    this.#emit({ kind: 'drained', atMs });
  }

  /** Whether the mark of the end may still come back. Marks of a stream that returned none are not awaited. */
  #awaitsEnd(nowMs: number): boolean {
    // guarantee: last-words-confirmed-by-their-mark
    if (this.#end === null || !this.#latency.isMeasured) return false;
    return nowMs < this.#end.playedAtMs + this.#latency.ms + endPatienceMs;
  }

  #reportBegun(clauseIds: readonly number[], atMs: number): void {
    for (const clauseId of clauseIds) this.#emit({ kind: 'clause_began', clauseId, atMs });
  }

  #sendDue(nowMs: number): void {
    const { leadMs, noiseLeadMs, onLate, clock } = this.#options;
    // guarantee: held-host-sends-no-sound
    if (clock.isHeld()) return;
    for (;;) {
      const frame = new Int16Array(this.#frameLength);
      const count = this.#isPaused ? 0 : this.#readSpeech(frame);
      const isEmpty = count === 0 && !this.#hasNoise;
      this.#isCaughtUp ||= isEmpty;
      if (isEmpty || this.#nextPlayAtMs - nowMs >= (count > 0 ? leadMs : noiseLeadMs)) return;
      if (this.#nextPlayAtMs < nowMs) {
        if (!this.#isCaughtUp) onLate(Math.ceil((nowMs - this.#nextPlayAtMs) / frameMs));
        this.#nextPlayAtMs = nowMs;
      }
      this.#isCaughtUp = false; // the next frame is due at the next tick; after that, the other end runs dry
      this.#send(frame, count, nowMs);
    }
  }

  /** Fills the frame with speech and returns the number of samples: 0 if the clause has no full frame yet. */
  #readSpeech(frame: Int16Array): number {
    const count = this.#queue.read(this.#sentPosition, frame);
    if (count === frame.length || this.#queue.isComplete) return count;
    frame.fill(0, 0, count);
    return 0;
  }

  #send(frame: Int16Array, count: number, nowMs: number): void {
    const { addNoise, wire } = this.#options;
    addNoise?.(frame);
    wire.send(frame);
    const from = this.#sentPosition;
    this.#inFlight.push({ playAtMs: this.#nextPlayAtMs, frame, from, to: from + count });
    this.#nextPlayAtMs += frameMs;
    this.#sentPosition += count;
    const begun = this.#queue.takeBegun(this.#sentPosition);
    // A mark at the beginning of a clause measures the latency early; one at the end of all speech confirms
    // that everything was heard.
    const isEndOfSpeech = count > 0 && this.#sentPosition === this.#queue.end;
    if (begun.length > 0 || isEndOfSpeech) {
      const name = this.#latency.mark(this.#nextPlayAtMs);
      if (isEndOfSpeech) this.#end = { name, playedAtMs: this.#nextPlayAtMs };
      wire.mark(name);
    }
    this.#reportBegun(begun, nowMs);
  }

  /** Takes back the frames in flight. The frame that is playing counts as heard up to now. */
  #recall(): void {
    const nowMs = this.#now();
    this.#arrive(nowMs);
    const [playing] = this.#inFlight;
    if (playing !== undefined) this.#hearPart(playing, nowMs - this.#latency.ms - playing.playAtMs);
    this.#inFlight = [];
    this.#end = null;
    this.#latency.forgetMarks(); // the other end returns them at once, which measures no playback
    // guarantee: paused-audio-resumes-exactly
    this.#sentPosition = this.#heardPosition;
    this.#nextPlayAtMs = nowMs;
    this.#isCaughtUp = true;
    this.#options.wire.clear();
  }

  /** Counts the first milliseconds of a frame as heard. */
  #hearPart(sent: Sent, ms: number): void {
    const samples = Math.floor((ms * this.#options.sampleRate) / 1000);
    const frame = sent.frame.subarray(0, Math.min(Math.max(0, samples), this.#frameLength));
    if (frame.length > 0) this.#hear({ ...sent, frame, to: Math.min(sent.to, sent.from + frame.length) });
  }
}
