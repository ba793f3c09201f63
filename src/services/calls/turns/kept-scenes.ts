import type { TurnRow } from '../../../db/tables/turns.ts';
import { exchangesOf } from '../../../domain/call/tool-round.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Scene, SceneInput } from './scene.ts';

/** Maximum number of conversations whose scene this process keeps. */
const maxKept = 500;

/** How long a scene is kept without a turn. */
const keptForMs = 300_000;

interface Kept {
  scene: Scene;
  at: TurnPlace;
  /** Milliseconds. */
  since: number;
}

interface TurnPlace {
  branch: number;
  turnIndex: number;
}

/**
 * The scenes of text conversations after the turns that this process wrote, so that the next turn reads nothing
 * anew. A scene serves only a turn that follows the one it was kept after: another process may have written
 * one, or a rewind discarded it.
 */
export class KeptScenes {
  readonly #clock: Clock;
  /** By call id, the one that was used last at the end. */
  readonly #kept = new Map<number, Kept>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The scene through that turn; null if it is not known. */
  find({ callId, organizationId, versionId }: SceneInput, through: TurnPlace): Scene | null {
    const found = this.#kept.get(callId);
    if (found === undefined) return null;
    const { scene, at } = found;
    // guarantee: kept-scene-follows-its-turn
    const fits = at.branch === through.branch && at.turnIndex === through.turnIndex;
    const isSame = scene.call.organizationId === organizationId && scene.call.versionId === versionId;
    return fits && isSame ? scene : null;
  }

  /** Keeps the scene with one more turn. */
  keep(scene: Scene, turn: TurnRow): void {
    const { branch, turnIndex, lines, toolRounds } = turn;
    const since = this.#clock.now().getTime();
    this.drop(turn.callId);
    this.#kept.set(turn.callId, {
      scene: {
        ...scene,
        turns: [...scene.turns, turn],
        lines: [...scene.lines, ...lines],
        exchanges: [...scene.exchanges, ...exchangesOf(lines, toolRounds ?? [])],
      },
      at: { branch, turnIndex },
      since,
    });
    for (const [callId, oldest] of this.#kept) {
      if (this.#kept.size <= maxKept && since - oldest.since < keptForMs) break;
      this.#kept.delete(callId);
    }
  }

  drop(callId: number): void {
    this.#kept.delete(callId);
  }
}
