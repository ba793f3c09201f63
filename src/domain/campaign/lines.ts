/**
 * Lines that campaigns of an organization may take more. They leave the reserve to other calls (incoming
 * ones, those of requests) and never have more than the rest; other calls that go on take up the reserve
 * first, and beyond it what is left of the limit. `live` is all calls, those of campaigns among them.
 */
export function freeLines({
  limit,
  reserved,
  live,
  ofCampaigns,
}: {
  limit: number;
  reserved: number;
  live: number;
  ofCampaigns: number;
}): number {
  // guarantee: other-calls-go-take
  return Math.max(0, Math.min(limit - live, limit - reserved - ofCampaigns));
}

/** A running campaign, as far as sharing lines goes. */
export interface LineUser {
  weight: number;
  /** Lines that it has now. */
  inUse: number;
}

export interface Rival extends LineUser {
  /** It waits for lines. */
  wantsLines: boolean;
  /** Lines that it can use by its own limit; null = any number. */
  max: number | null;
}

/**
 * How many more lines a campaign takes now, of those that are free for campaigns of its organization.
 * Campaigns that have more to dial than lines (*hungry*) share what there is by weight; the others keep what
 * they have. What one cannot use by its own limit, the others share. Whoever has more than its share takes
 * none until calls of it end, so a campaign that begins later gets its share within the length of a call.
 * `max` is the campaign's own limit; null = none.
 */
export function linesFor({
  free,
  mine,
  others,
  max,
}: {
  free: number;
  mine: LineUser;
  others: readonly Rival[];
  max: number | null;
}): number {
  const wantsLines = others.filter(({ wantsLines }) => wantsLines);
  // Rounded up: with fewer lines than campaigns each gets one in turn, and what is free is never left idle by
  // rounding.
  const share = Math.ceil(
    shareOf(mine.weight, wantsLines, free + mine.inUse + sum(wantsLines.map(({ inUse }) => inUse))),
  );
  // guarantee: campaign-begins-beside-big
  return Math.max(0, Math.min(free, share - mine.inUse, max === null ? Infinity : max - mine.inUse));
}

/**
 * Whether a campaign that has taken so many more lines, and has more to dial, waits for lines: nothing of its
 * own keeps it from dialing (`own`: calls that its limit, its pace and its numbers allow, were all lines
 * free), and it has a number, or no line either.
 */
export function waitsForLines({
  taken,
  lines,
  numbers,
  own,
}: {
  taken: number;
  lines: number;
  numbers: number;
  own: number;
}): boolean {
  // guarantee: no-line-stays-idle
  return taken < own && (taken >= lines || taken < numbers);
}

/**
 * Whoever can use less than its part by weight has what it can use; the rest is shared anew by those that are
 * left.
 */
function shareOf(weight: number, rivals: readonly Rival[], shared: number): number {
  const total = weight + sum(rivals.map((rival) => rival.weight));
  const small = rivals.filter((rival) => rival.max !== null && rival.max * total < shared * rival.weight);
  // Multiplied before it is divided: a share that is a whole number must not come out beside it.
  if (small.length === 0) return (shared * weight) / total;
  return shareOf(
    weight,
    rivals.filter((rival) => !small.includes(rival)),
    shared - sum(small.map(({ max }) => max ?? 0)),
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
