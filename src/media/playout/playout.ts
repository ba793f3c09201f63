import type { Playout, PlayoutEvent } from '../leg.ts';
import { frameMs, type FrameClock } from './frame-clock.ts';
import { createSpeechQueue } from './speech-queue.ts';

/**
 * What is said on one stream, in frames of 20 ms.
 *
 * P1. The other end has sound for at most `leadMs` ahead: enough to bridge a late tick, little enough that
 * `clear` finds it there. P2. A frame has been heard when its time, its length and the latency of the way are
 * over. The latency is estimated until the other end returns a
 *     mark (what lies before it has been played), then measured. P3. What was sent but not heard goes back to
 *     the queue at `pause`, and is gone at `clear`; the other end drops it too. P4. With background noise
 *     frames go out without end, and less far ahead while nobody speaks, so that speech does not wait behind
 *     noise.
 */
export interface LegPlayout extends Playout {
  /** A mark of ours came back. */
  onMark(name: string): void;
  close(): void;
}

/** The way to the other end. */
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
  /** How far ahead noise alone is sent. */
  noiseLeadMs?: number;
  /** From a frame's time at our clock to the person's ear, until it is measured. */
  latencyMs?: number;
  /** Adds the background to a frame; absent = there is none, and nothing is sent while nobody speaks. */
  addNoise?: ((frame: Int16Array) => void) | undefined;
  /** Told of what the person heard, when they did: `atMs` of the clock is the first sample's time. */
  onHeard?: (samples: Int16Array, atMs: number) => void;
  /** Told when the other end had nothing to play because we were late, in frames. */
  onLate?: (frames: number) => void;
}

/** A frame that is on its way; `from` and `to` are equal when nobody speaks in it. */
interface Sent {
  playAtMs: number;
  frame: Int16Array;
  from: number;
  to: number;
}

const maxLatencyMs = 500;
/** A measured latency weighs so much against those before. */
const newestWeight = 0.3;

export function createPlayout(options: PlayoutOptions): LegPlayout {
  const {
    sampleRate,
    clock,
    wire,
    leadMs = 120,
    noiseLeadMs = 40,
    latencyMs: estimatedMs = 150,
    addNoise,
    onHeard = () => undefined,
    onLate = () => undefined,
  } = options;
  const frameLength = (sampleRate * frameMs) / 1000;
  const queue = createSpeechQueue(sampleRate);
  const listeners = new Set<(event: PlayoutEvent) => void>();
  const marks = new Map<string, { position: number; playedAtMs: number }>();
  let onTheWay: Sent[] = [];
  let sentPosition = 0;
  let heardPosition = 0;
  let nextPlayAtMs = clock.now();
  let measuredMs: number | null = null;
  let markCount = 0;
  let isPaused = false;
  let isDrained = true;
  /** There was nothing to send since the last frame: what comes now is not late. */
  let isCaughtUp = true;
  let isClosed = false;
  let leave: (() => void) | null = null;

  const latencyMs = () => measuredMs ?? estimatedMs;
  const emit = (event: PlayoutEvent) => {
    for (const listener of listeners) listener(event);
  };

  function awake(): void {
    if (isClosed) return;
    leave ??= clock.join(tick);
    tick(clock.now());
  }

  function rest(): void {
    leave?.();
    leave = null;
  }

  function tick(nowMs: number): void {
    arrive(nowMs);
    sendDue(nowMs);
    if (addNoise === undefined && onTheWay.length === 0 && (isPaused || sentPosition >= queue.end)) rest();
  }

  /** Takes over what has been heard by now. */
  function arrive(nowMs: number): void {
    const heardUntilMs = nowMs - latencyMs();
    while (onTheWay[0] !== undefined && onTheWay[0].playAtMs + frameMs <= heardUntilMs)
      hear(onTheWay.shift());
    tellHeard(nowMs);
  }

  function hear(sent: Sent | undefined): void {
    if (sent === undefined) return;
    heardPosition = Math.max(heardPosition, sent.to);
    onHeard(sent.frame, sent.playAtMs);
  }

  function tellHeard(atMs: number): void {
    queue.release(heardPosition);
    for (const clauseId of queue.takePlayed(heardPosition)) emit({ kind: 'clause_played', clauseId, atMs });
    if (isDrained || heardPosition < queue.end || !queue.isComplete) return;
    isDrained = true;
    emit({ kind: 'drained', atMs });
  }

  function sendDue(nowMs: number): void {
    for (;;) {
      const frame = new Int16Array(frameLength);
      const count = isPaused ? 0 : speechIn(frame);
      isCaughtUp ||= count === 0 && addNoise === undefined;
      if (
        nextPlayAtMs - nowMs >= (count > 0 ? leadMs : noiseLeadMs) ||
        (count === 0 && addNoise === undefined)
      )
        return;
      if (nextPlayAtMs < nowMs) {
        if (!isCaughtUp) onLate(Math.ceil((nowMs - nextPlayAtMs) / frameMs));
        nextPlayAtMs = nowMs;
      }
      isCaughtUp = false; // what follows is due at the next tick: if that comes too late, the other end runs dry
      send(frame, count, nowMs);
    }
  }

  /**
   * How many samples of speech are in the next frame; a frame that is not full waits for the rest of its
   * clause.
   */
  function speechIn(frame: Int16Array): number {
    const count = queue.read(sentPosition, frame);
    if (count === frame.length || queue.isComplete) return count;
    frame.fill(0, 0, count);
    return 0;
  }

  function send(frame: Int16Array, count: number, nowMs: number): void {
    addNoise?.(frame);
    wire.send(frame);
    const sent = { playAtMs: nextPlayAtMs, frame, from: sentPosition, to: sentPosition + count };
    onTheWay.push(sent);
    nextPlayAtMs += frameMs;
    sentPosition = sent.to;
    const begun = queue.takeBegun(sentPosition);
    // Where a clause begins the latency is measured early, where the line ends it is known that all was
    // heard.
    if (begun.length > 0 || (count > 0 && sentPosition === queue.end)) mark();
    for (const clauseId of begun) emit({ kind: 'clause_began', clauseId, atMs: nowMs });
  }

  function mark(): void {
    markCount += 1;
    const name = `m${markCount}`;
    marks.set(name, { position: sentPosition, playedAtMs: nextPlayAtMs });
    wire.mark(name);
  }

  /** Takes back what is on its way. The frame that is being heard is heard up to now. */
  function recall(): void {
    const nowMs = clock.now();
    arrive(nowMs);
    const [first] = onTheWay;
    if (first !== undefined) {
      const samples = Math.floor(((nowMs - latencyMs() - first.playAtMs) * sampleRate) / 1000);
      const heard = first.frame.subarray(0, Math.min(Math.max(0, samples), frameLength));
      if (heard.length > 0)
        hear({ ...first, frame: heard, to: Math.min(first.to, first.from + heard.length) });
    }
    onTheWay = [];
    marks.clear(); // they come back at once, and say nothing
    // guarantee: what-interrupted-goes-exactly
    sentPosition = heardPosition;
    nextPlayAtMs = nowMs;
    isCaughtUp = true;
    wire.clear();
  }

  if (addNoise !== undefined) awake();

  return {
    add(part) {
      queue.add(part);
      isDrained = false;
      awake();
      // A clause without a sample has nothing that could be sent.
      for (const clauseId of queue.takeBegun(sentPosition))
        emit({ kind: 'clause_began', clauseId, atMs: clock.now() });
      tellHeard(clock.now());
    },
    clear() {
      recall();
      queue.cut(heardPosition);
      sentPosition = queue.end;
      heardPosition = queue.end;
      isPaused = false;
      isDrained = true;
      return queue.heard(heardPosition);
    },
    pause() {
      if (isPaused) return;
      recall();
      isPaused = true;
    },
    resume() {
      if (!isPaused) return;
      isPaused = false;
      awake();
    },
    heard() {
      arrive(clock.now());
      return queue.heard(heardPosition);
    },
    get isIdle() {
      return isDrained;
    },
    on(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    onMark(name) {
      const known = marks.get(name);
      if (known === undefined) return;
      marks.delete(name);
      const nowMs = clock.now();
      const newMs = Math.min(Math.max(0, nowMs - known.playedAtMs), maxLatencyMs);
      measuredMs = measuredMs === null ? newMs : measuredMs + newestWeight * (newMs - measuredMs);
      while (onTheWay[0] !== undefined && onTheWay[0].playAtMs < known.playedAtMs) hear(onTheWay.shift());
      tellHeard(nowMs);
    },
    close() {
      isClosed = true;
      rest();
      arrive(clock.now());
      onTheWay = [];
      listeners.clear();
    },
  };
}
