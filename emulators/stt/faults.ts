import { z } from 'zod';

/** Faults on connections of one API key. The first fault with a matching `nth` applies. */
export const Fault = z.strictObject({
  /** The nth connection of the key, from 1; every connection when absent. */
  nth: z.int().positive().optional(),
  kind: z.enum(['silent', 'gone', 'half_open', 'refused', 'error', 'duplicate', 'delayed', 'unreadable']),
  /** `silent`, `gone`, `half_open`, `error`: after this much audio on the connection, at once when absent. */
  afterAudioMs: z.int().nonnegative().optional(),
  /** `refused`: the HTTP status instead of a connection. */
  status: z.int().min(400).max(599).optional(),
  /** `error`: its code. */
  code: z.string().optional(),
  /** `delayed`: the delay of every message. */
  delayMs: z.int().positive().optional(),
});
export type Fault = z.infer<typeof Fault>;
export const FaultList = z.array(Fault);

export class FaultBook {
  readonly #faults = new Map<string, Fault[]>();

  /** Replaces the faults of the key. */
  set(key: string, faults: readonly Fault[]): void {
    this.#faults.set(key, [...faults]);
  }

  /** Clears the faults of one key, or of all. */
  clear(key?: string): void {
    if (key === undefined) this.#faults.clear();
    else this.#faults.delete(key);
  }

  find(key: string, nth: number): Fault | null {
    return this.#faults.get(key)?.find((fault) => fault.nth === undefined || fault.nth === nth) ?? null;
  }
}
