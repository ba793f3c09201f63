import type { TurnRow } from '../../../db/tables/turns.ts';

/** Maximum number of turns kept, of all conversations together. */
const maxKept = 5000;

/**
 * The turns of conversations that this process has shown, so that the next answer reads only what is new: a turn
 * never changes once it is written. It says nothing about who may see them.
 */
export class KeptTurns {
  /** By call id, in the order in which they were written; the conversation that was used last is at the end. */
  readonly #kept = new Map<number, readonly TurnRow[]>();
  #size = 0;

  of(callId: number): readonly TurnRow[] {
    return this.#kept.get(callId) ?? [];
  }

  /** Replaces those of the conversation. */
  keep(callId: number, turns: readonly TurnRow[]): void {
    this.drop(callId);
    this.#kept.set(callId, turns);
    this.#size += turns.length;
    for (const [oldest] of this.#kept) {
      if (this.#size <= maxKept) break;
      this.drop(oldest);
    }
  }

  drop(callId: number): void {
    this.#size -= this.of(callId).length;
    this.#kept.delete(callId);
  }
}
