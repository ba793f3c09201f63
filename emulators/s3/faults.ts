/**
 * Faults instead of the usual answer. `status`: a refusal; nothing is done. `silence`: no answer; nothing is
 * done. `late`: it is done but not answered. `cut`: half of the content is sent, then the connection breaks.
 * `stall`: the same, but the connection stays open.
 */
export type Fault =
  | { kind: 'status'; status: number; code: string }
  | { kind: 'silence' }
  | { kind: 'late' }
  | { kind: 'cut' }
  | { kind: 'stall' };

export interface FaultRule {
  fault: Fault;
  /** Only requests of that method; absent = all. */
  method?: string;
  /** Only requests whose path and query contain this; absent = all. */
  holds?: string;
  /** How many requests it affects; absent = all. */
  times?: number;
}

/** Rules in order; the first match is used. */
export class Faults {
  #rules: { rule: FaultRule; left: number }[] = [];

  set(rules: readonly FaultRule[]): void {
    this.#rules = rules.map((rule) => ({ rule, left: rule.times ?? Number.POSITIVE_INFINITY }));
  }

  of({ method, url }: { method: string; url: string }): Fault | null {
    const found = this.#rules.find(
      ({ rule, left }) => left > 0 && (rule.method ?? method) === method && url.includes(rule.holds ?? ''),
    );
    if (found === undefined) return null;
    found.left -= 1;
    return found.rule.fault;
  }
}
