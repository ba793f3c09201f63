/** An active number of a carrier connection. */
export interface CallerNumber {
  id: number;
  /** E.164. */
  address: string;
  isDefault: boolean;
}

/** The numbers that a call may show: all of the connection's, or only those in `onlyIds`. */
export function allowedCallerNumbers<Choice extends Pick<CallerNumber, 'id'>>(
  active: readonly Choice[],
  onlyIds: readonly number[] | null,
): readonly Choice[] {
  return onlyIds === null ? active : active.filter(({ id }) => onlyIds.includes(id));
}

/**
 * The number that the callee sees (contract 12.3): the requested one, else the default caller, else any
 * active one. Null if the connection has no active number, or lacks the requested one.
 *
 * `active` are the connection's active numbers; `random` returns an integer in `[0, below)`.
 */
export function chooseCallerNumber<Choice extends Pick<CallerNumber, 'id' | 'isDefault'>>(
  active: readonly Choice[],
  { wantedId, random }: { wantedId: number | null; random: (below: number) => number },
): Choice | null {
  const allowed = allowedCallerNumbers(active, wantedId === null ? null : [wantedId]);
  return (
    allowed.find(({ isDefault }) => isDefault) ??
    allowed[allowed.length < 2 ? 0 : random(allowed.length)] ??
    null
  );
}
