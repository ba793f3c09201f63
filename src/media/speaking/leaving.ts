import { guarded } from '../../runtime/guarded.ts';

/** After this much silence, no one is about to speak. */
const quietMs = 2000;

/**
 * Decides when a call leaves a host that stops. During the move, about half a second, no one hears the
 * caller. So the call leaves when the caller has finished and the answer has not begun, or when neither has
 * spoken for a while, and never while someone speaks. A step that is asked for meanwhile ends with `moving`.
 */
export class Leaving {
  readonly #nowMs: () => number;
  readonly #leave: () => void;
  #isWanted = false;
  #quietSinceMs: number | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor({
    nowMs,
    leave,
    onFault,
  }: {
    nowMs: () => number;
    leave: () => void;
    onFault: (error: unknown) => void;
  }) {
    this.#nowMs = nowMs;
    this.#leave = guarded(leave, onFault);
  }

  /** The host stops. */
  get isWanted(): boolean {
    return this.#isWanted;
  }

  want(): void {
    this.#isWanted = true;
    this.#wait();
  }

  /** No one speaks from now on. */
  quiet(): void {
    this.#quietSinceMs = this.#nowMs();
    this.#wait();
  }

  /** Someone speaks or is about to. */
  busy(): void {
    this.#quietSinceMs = null;
    clearTimeout(this.#timer);
  }

  #wait(): void {
    clearTimeout(this.#timer);
    if (this.#isWanted && this.#quietSinceMs !== null)
      // guarantee: draining-host-lets-caller-finish
      this.#timer = setTimeout(this.#leave, Math.max(0, this.#quietSinceMs + quietMs - this.#nowMs()));
  }
}
