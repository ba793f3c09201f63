/** So long nobody has said anything: they are not about to. */
const quietMs = 2000;

/**
 * When a call leaves a host that stops. On the way to another host, about half a second, nobody is heard. So
 * it leaves when the caller has finished, before the answer is begun (whoever asks for that step is told), or
 * when neither has said anything for a while; never into somebody's words.
 */
export class Leaving {
  readonly #nowMs: () => number;
  readonly #leave: () => void;
  #isWanted = false;
  #quietSinceMs: number | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor({ nowMs, leave }: { nowMs: () => number; leave: () => void }) {
    this.#nowMs = nowMs;
    this.#leave = leave;
  }

  /** The host stops. */
  get isWanted(): boolean {
    return this.#isWanted;
  }

  want(): void {
    this.#isWanted = true;
    this.#wait();
  }

  /** Nobody speaks, from now on. */
  quiet(): void {
    this.#quietSinceMs = this.#nowMs();
    this.#wait();
  }

  /** Somebody does, or will at once. */
  busy(): void {
    this.#quietSinceMs = null;
    clearTimeout(this.#timer);
  }

  #wait(): void {
    clearTimeout(this.#timer);
    if (this.#isWanted && this.#quietSinceMs !== null)
      // guarantee: host-stops-takes-no
      this.#timer = setTimeout(this.#leave, Math.max(0, this.#quietSinceMs + quietMs - this.#nowMs()));
  }
}
