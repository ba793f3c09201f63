import type { Ramp } from './rules.ts';

/** Dials that may begin: the tokens left at `at`. They grow with time. */
export interface TokenBucket {
  tokens: number;
  at: Date;
}

/**
 * Takes whole tokens, at most `wanted` and at most what is left. The bucket grows by `perSecond` and holds at
 * most `burst`. If the clock goes back, the bucket neither grows nor shrinks.
 */
export function takeTokens(
  bucket: TokenBucket,
  { perSecond, burst, now, wanted }: { perSecond: number; burst: number; now: Date; wanted: number },
): { taken: number; bucket: TokenBucket } {
  const seconds = Math.max(0, now.getTime() - bucket.at.getTime()) / 1000;
  const there = Math.min(burst, bucket.tokens + seconds * perSecond);
  // Ten times a tenth of a second is a whole second, also in floating point.
  const taken = Math.max(0, Math.min(Math.floor(wanted), Math.floor(there + 1e-9)));
  return { taken, bucket: { tokens: Math.max(0, there - taken), at: now > bucket.at ? now : bucket.at } };
}

/** When the next whole token will be available. */
export function nextTokenAt({ tokens, at }: TokenBucket, perSecond: number): Date {
  return new Date(at.getTime() + Math.ceil((Math.max(0, 1 - tokens) / perSecond) * 1000 - 1e-6));
}

/** How many lines a campaign may have that has dialed since `since`; null = unlimited. */
export function linesOfRamp({
  ramp,
  since,
  now,
}: {
  ramp: Ramp | null;
  since: Date;
  now: Date;
}): number | null {
  if (ramp === null) return null;
  const minutes = Math.max(0, Math.floor((now.getTime() - since.getTime()) / 60_000));
  return ramp.lines + minutes * ramp.eachMinute;
}
