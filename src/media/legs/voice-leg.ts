import type { GoneReason, HeardFrame } from '../leg.ts';
import type { LegPlayout } from '../playout/playout.ts';
import type { OwnedLeg } from '../sessions.ts';

/** Parts of a leg, for a carrier or a browser. */
export interface LegParts {
  sampleRate: 8000 | 16000;
  generation: number;
  beganAtMs: number;
  playout: LegPlayout;
  show: (event: Record<string, unknown>) => void;
  /** Runs when the leg ends, before its listeners. */
  onEnd?: (reason: GoneReason) => void;
  onFault: (error: unknown) => void;
}

/** A leg together with the methods by which its socket feeds it. */
export interface FedLeg extends OwnedLeg {
  hear(frame: HeardFrame): void;
  press(digit: string): void;
  type(text: string): void;
}

export function createLeg({
  sampleRate,
  generation,
  beganAtMs,
  playout,
  show,
  onEnd = () => undefined,
  onFault,
}: LegParts): FedLeg {
  const frames = new Set<(frame: HeardFrame) => void>();
  const keys = new Set<(digit: string) => void>();
  const typed = new Set<(text: string) => void>();
  let gone = new Set<(reason: GoneReason) => void>();
  let over: GoneReason | null = null;

  /** Calls every listener, even if one of them throws. */
  function tell<T>(listeners: ReadonlySet<(value: T) => void>, value: T): void {
    for (const listener of listeners) {
      try {
        listener(value);
      } catch (error) {
        onFault(error);
      }
    }
  }

  return {
    sampleRate,
    generation,
    beganAtMs,
    playout,
    onFrame: (listener) => added(frames, listener),
    onKey: (listener) => added(keys, listener),
    onTyped: (listener) => added(typed, listener),
    onGone(listener) {
      if (over === null) gone.add(listener);
      else tell(new Set([listener]), over);
    },
    show: (event) => (over === null ? show(event) : undefined),
    hear: (frame) => tell(frames, frame),
    press: (digit) => tell(keys, digit),
    type: (text) => tell(typed, text),
    end(reason) {
      if (over !== null) return;
      over = reason;
      playout.close();
      onEnd(reason);
      const waiting = gone;
      gone = new Set();
      frames.clear();
      keys.clear();
      typed.clear();
      tell(waiting, reason);
    },
  };
}

function added<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
