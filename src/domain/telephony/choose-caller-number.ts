/** A phone number of a connection, as far as the choice looks at it. */
export interface CallerNumber {
  id: number;
  /** True for the default caller id of the connection; null for any other number. */
  isDefaultCallerId: true | null;
}

/**
 * The number that the person sees (contract 12.3): the one that was asked for, else the connection's default
 * caller id, else a random one. `active` are the active numbers of the connection. Null when there is none, or
 * when the one that was asked for is not among them: a call never shows another number than it asked for.
 */
export function chooseCallerNumber<Row extends CallerNumber>(
  active: readonly Row[],
  { askedId, random }: { askedId: number | null; random: (below: number) => number },
): Row | null {
  if (askedId !== null) return active.find(({ id }) => id === askedId) ?? null;
  const usual = active.find(({ isDefaultCallerId }) => isDefaultCallerId === true);
  return usual ?? active[active.length < 2 ? 0 : random(active.length)] ?? null;
}
