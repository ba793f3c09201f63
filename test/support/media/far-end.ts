import type { Wire } from '../../../src/media/playout/playout.ts';
import type { ManualClock } from './manual-clock.ts';

/**
 * The other end of a stream on a manual clock. It plays frames in order, and returns a mark when everything
 * before it has been played.
 */
export interface FarEnd extends Wire {
  /** The samples that the person has heard so far, without silence. */
  heard(): number[];
  /** Milliseconds without sound to play before later sound. */
  readonly gapsMs: number;
  readonly queuedMs: number;
  readonly sentFrames: number;
}

/** `latencyMs` is the delay from sending to playing. */
export function createFarEnd({
  clock,
  latencyMs = 0,
  onMark = () => undefined,
}: {
  clock: ManualClock;
  latencyMs?: number;
  onMark?: (name: string) => void;
}): FarEnd {
  const played: number[] = [];
  let queue: { kind: 'frame'; samples: Int16Array; startMs: number }[] = [];
  let marks: { name: string; atMs: number }[] = [];
  let endMs = -1;
  let gapsMs = 0;
  let sentFrames = 0;

  function play(untilMs: number): void {
    for (let first = queue[0]; first !== undefined && first.startMs < untilMs; first = queue[0]) {
      const perMs = first.samples.length / 20;
      const count = Math.min(first.samples.length, Math.floor((untilMs - first.startMs) * perMs));
      if (count < first.samples.length) return;
      played.push(...first.samples);
      queue.shift();
    }
  }

  clock.join((nowMs) => {
    play(nowMs);
    for (const mark of marks.filter(({ atMs }) => atMs <= nowMs)) {
      marks = marks.filter((each) => each !== mark);
      onMark(mark.name);
    }
  });

  return {
    send(samples) {
      const startMs = Math.max(endMs, clock.now() + latencyMs);
      if (endMs >= 0 && startMs > endMs) gapsMs += startMs - endMs;
      endMs = startMs + 20;
      sentFrames += 1;
      queue.push({ kind: 'frame', samples: samples.slice(), startMs });
    },
    mark: (name) => void marks.push({ name, atMs: Math.max(endMs, clock.now() + latencyMs) }),
    clear() {
      const nowMs = clock.now();
      play(nowMs);
      const [first] = queue;
      if (first !== undefined && first.startMs < nowMs)
        played.push(
          ...first.samples.subarray(0, Math.floor((nowMs - first.startMs) * (first.samples.length / 20))),
        );
      queue = [];
      endMs = -1;
      const returned = marks;
      marks = [];
      for (const { name } of returned) onMark(name);
    },
    heard() {
      play(clock.now());
      return played.filter((sample) => sample !== 0);
    },
    get gapsMs() {
      return gapsMs;
    },
    get queuedMs() {
      return queue.length * 20;
    },
    get sentFrames() {
      return sentFrames;
    },
  };
}
