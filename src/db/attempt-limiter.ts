import { createHash } from 'node:crypto';
import { RateLimiterMySQL, RateLimiterRes } from 'rate-limiter-flexible';
import type { DataSource } from 'typeorm';
import { LimitError } from '../domain/errors.ts';
import { attemptsTable } from './attempts-table.ts';
import { translateUnavailable } from './unavailable.ts';

/** Counts the attempts of a subject across all processes. */
export interface AttemptLimiter {
  /**
   * Counts one more attempt. Throws LimitError after too many attempts, and UnavailableError when MySQL is
   * unavailable; the caller must then refuse the attempt.
   */
  count(subject: string): Promise<void>;
  /** Removes one attempt from the count. */
  forgive(subject: string): Promise<void>;
  /** Removes all attempts of the subject from the count. */
  forget(subject: string): Promise<void>;
}

export interface AttemptLimits {
  /** What is attempted, a machine word. Each kind is counted separately. */
  what: string;
  /** The same for people, in the plural: `sign-ups from one network`. */
  named: string;
  /** Maximum number of attempts in `windowSeconds`, counted from the first one. */
  max: number;
  windowSeconds: number;
}

/**
 * Counts attempts in the table `attempts`. Subjects are stored as hashes; expired rows are removed regularly.
 */
export function createAttemptLimiter(
  db: DataSource,
  { what, named, max, windowSeconds }: AttemptLimits,
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
          throw new LimitError(
            `At most ${max} ${named} within ${minutes(windowSeconds * 1000)}; try again in ${minutes(refusal.msBeforeNext)}`,
            { retryAfterMs: refusal.msBeforeNext },
          );
        throw translateUnavailable(refusal);
      }
    },
    forgive: (subject) => reached(limiter.reward(keyOf(subject))),
    forget: (subject) => reached(limiter.delete(keyOf(subject))),
  };
}

function minutes(ms: number): string {
  const whole = Math.max(1, Math.ceil(ms / 60_000));
  return whole === 1 ? 'a minute' : `${whole} minutes`;
}

async function reached(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    throw translateUnavailable(error);
  }
}
