/** A running campaign, as far as sharing lines goes. */
export interface LineUser {
  weight: number;
  /** Lines that it has now. */
  inUse: number;
}

/**
 * How many more lines a campaign takes now, of those that are free for campaigns of its organization. Campaigns that have more to dial than lines
 * (*hungry*) share what there is by weight; the others keep what they have. Whoever has more than its share takes none until calls of it end, so a
 * campaign that begins later gets its share within the length of a call. `most` is the campaign's own limit; null = none.
 */
export function linesFor({ free, mine, others, most }: { free: number; mine: LineUser; others: readonly (LineUser & { isHungry: boolean })[]; most: number | null }): number {
  const hungry = others.filter(({ isHungry }) => isHungry);
  const shared = free + mine.inUse + sum(hungry.map(({ inUse }) => inUse));
  // Rounded up: with fewer lines than campaigns each gets one in turn, and what is free is never left idle by rounding.
  const share = Math.ceil((shared * mine.weight) / (mine.weight + sum(hungry.map(({ weight }) => weight))));
  return Math.max(0, Math.min(free, share - mine.inUse, most === null ? Infinity : most - mine.inUse));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
