/**
 * Lines that the campaigns of an organization may take in addition. Campaigns leave the reserve to other
 * calls (incoming calls and calls by request). Other calls use up the reserve first, then the rest of the
 * limit. `live` counts all calls, including those of campaigns.
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
  // guarantee: other-calls-use-reserve-first
  return Math.max(0, Math.min(limit - live, limit - reserved - ofCampaigns));
}

/** A running campaign that shares lines. */
export interface LineUser {
  weight: number;
  /** Lines in use now. */
  inUse: number;
}

export interface Rival extends LineUser {
  /** The campaign has rows to call. */
  wantsLines: boolean;
  /** Maximum number of lines by the campaign's own limit; null = unlimited. */
  max: number | null;
}

/**
 * How many more lines a campaign takes now, of those that are free for campaigns of its organization.
 * Campaigns that want lines share them by weight; the others keep what they have. What a campaign cannot use
 * by its own limit, the others share. A campaign with more than its share takes no lines until some of its
 * calls end. So a campaign that begins later gets its share within the length of a call. `max` is the
 * campaign's own limit; null = unlimited.
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
  // Rounded up, so that each campaign gets a line in turn if there are fewer lines than campaigns, and
  // rounding leaves no free line idle.
  const share = Math.ceil(
    shareOf(mine.weight, wantsLines, free + mine.inUse + sum(wantsLines.map(({ inUse }) => inUse))),
  );
  // guarantee: campaign-gets-its-share-of-lines
  return Math.max(0, Math.min(free, share - mine.inUse, max === null ? Infinity : max - mine.inUse));
}

/**
 * Whether a campaign wants lines after it has taken `taken` of them, if it has more to dial. It does if
 * nothing of its own keeps it from dialing and it has a free number, or no free line either. `own`: calls
 * that its limit, its pace and its numbers would allow if all lines were free.
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
  // guarantee: unusable-share-goes-to-others
  return taken < own && (taken >= lines || taken < numbers);
}

/**
 * The share of a campaign by weight. A rival that can use less than its part gets what it can use; the others
 * share the rest.
 */
function shareOf(weight: number, rivals: readonly Rival[], shared: number): number {
  const total = weight + sum(rivals.map((rival) => rival.weight));
  const small = rivals.filter((rival) => rival.max !== null && rival.max * total < shared * rival.weight);
  // Multiply before dividing, so that a whole share stays a whole number in floating point.
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
