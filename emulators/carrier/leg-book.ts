import type { Leg } from './leg.ts';
import { Problem } from './problems.ts';

/** Ended legs are remembered this long. */
const rememberedMs = 10 * 60_000;

/** Every leg that is live or ended recently. */
export class LegBook {
  #byControlId = new Map<string, Leg>();
  #live = new Set<Leg>();
  #ended: { leg: Leg; at: number }[] = [];
  readonly #onAdded: () => void;

  constructor(onAdded: () => void) {
    this.#onAdded = onAdded;
  }

  add(leg: Leg): void {
    this.#byControlId.set(leg.controlId, leg);
    this.#live.add(leg);
    this.#onAdded();
  }

  /** The leg continues under another control id; the old one becomes unknown. */
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

  /** The leg of a command. It must belong to this account and must not have ended. */
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
