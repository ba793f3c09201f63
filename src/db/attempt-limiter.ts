import { createHash } from 'node:crypto';
import { RateLimiterMySQL, RateLimiterRes } from 'rate-limiter-flexible';
import type { DataSource } from 'typeorm';
import { LimitError } from '../domain/errors.ts';
import { attemptsTable } from './attempts-table.ts';
import { translateUnavailable } from './unavailable.ts';

/** Counts tries of somebody; all processes count together. */
export interface AttemptLimiter {
  /**
   * One more try. Throws LimitError when there were too many, UnavailableError when MySQL is away: then
   * nobody may try.
   */
  count(subject: string): Promise<void>;
  /** That try is not to be counted. */
  forgive(subject: string): Promise<void>;
  /** None of the tries so far is. */
  forget(subject: string): Promise<void>;
}

export interface AttemptLimits {
  /** What is tried, a machine word: tries of different things are counted apart. */
  what: string;
  /** Most tries in `windowSeconds`, which begin with the first of them. */
  max: number;
  windowSeconds: number;
}

/**
 * Tries in the table `attempts`. Subjects are kept as hashes; what has expired is removed from time to time.
 */
export function createAttemptLimiter(
  db: DataSource,
  { what, max, windowSeconds }: AttemptLimits,
): AttemptLimiter {
  const limiter = new RateLimiterMySQL({
    ...attemptsTable(db),
    keyPrefix: what,
    points: max,
    duration: windowSeconds,
  });
  const keyOf = (subject: string): string => createHash('sha256').update(subject).digest('hex');
  return {
    count: async (subject) => {
      try {
        await limiter.consume(keyOf(subject));
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes)
          throw new LimitError('Too many attempts; try again later', { retryAfterMs: refusal.msBeforeNext });
        throw translateUnavailable(refusal);
      }
    },
    forgive: (subject) => reached(limiter.reward(keyOf(subject))),
    forget: (subject) => reached(limiter.delete(keyOf(subject))),
  };
}

async function reached(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    throw translateUnavailable(error);
  }
}
