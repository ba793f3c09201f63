/** An active number of a carrier connection. */
export interface CallerNumber {
  id: number;
  /** E.164. */
  address: string;
  isDefault: boolean;
}

/** The numbers that a call may show: all of the connection's, or those of them that `onlyIds` names. */
export function allowedCallerNumbers<Choice extends Pick<CallerNumber, 'id'>>(
  active: readonly Choice[],
  onlyIds: readonly number[] | null,
): readonly Choice[] {
  return onlyIds === null ? active : active.filter(({ id }) => onlyIds.includes(id));
}

/**
 * The number that the person sees (contract 12.3): the one that was asked for, else the default one, else any
 * active one. Null when the connection has no active number, or not the one that was asked for.
 *
 * `active` are the connection's active numbers; `random` draws an integer in `[0, below)`.
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
