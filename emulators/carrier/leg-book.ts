import type { Leg } from './leg.ts';
import { Problem } from './problems.ts';

/** Ended legs are known so long. */
const rememberedMs = 10 * 60_000;

/** Every leg, live or lately ended. */
export class LegBook {
  #byControlId = new Map<string, Leg>();
  #live = new Set<Leg>();
  #ended: { leg: Leg; at: number }[] = [];

  add(leg: Leg): void {
    this.#byControlId.set(leg.controlId, leg);
    this.#live.add(leg);
  }

  /** The leg goes on under another control id; the old one is unknown from now on. */
  rename(leg: Leg, oldControlId: string): void {
    this.#byControlId.delete(oldControlId);
    this.#byControlId.set(leg.controlId, leg);
  }

  end(leg: Leg): void {
    this.#live.delete(leg);
    const now = Date.now();
    this.#ended.push({ leg, at: now });
    for (
      let [first] = this.#ended;
      first !== undefined && now - first.at > rememberedMs;
      [first] = this.#ended
    ) {
      this.#byControlId.delete(first.leg.controlId);
      this.#ended.shift();
    }
  }

  live(): Leg[] {
    return [...this.#live];
  }

  find(controlId: string): Leg | undefined {
    return this.#byControlId.get(controlId);
  }

  /** The leg that a command is for, which must be this account's and not over. */
  commanded(controlId: string, accountKey: string): Leg {
    const leg = this.find(controlId);
    if (leg?.accountKey !== accountKey) throw new Problem('90015');
    if (leg.state === 'ended') throw new Problem('90018');
    return leg;
  }

  byLegId(legId: string): Leg | undefined {
    return (
      [...this.#live].find((leg) => leg.id === legId) ?? this.#ended.find(({ leg }) => leg.id === legId)?.leg
    );
  }
}
