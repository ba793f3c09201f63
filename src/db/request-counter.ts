import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';

/** Counts the requests of subjects in windows that begin with the first one. */
export interface RequestCounter {
  /** Counts one more request of the subject. Never fails: a request that cannot be counted passes. */
  count(subject: string): Promise<Counted>;
}

export interface Counted {
  /** Requests of the subject in its window, including this one. */
  requests: number;
  /** Milliseconds until the window ends. */
  msLeft: number;
}

export interface CounterOptions {
  /** What is counted, a machine word. Each kind is counted separately. */
  what: string;
  windowSeconds: number;
}

export const countedOf = ({ consumedPoints, msBeforeNext }: RateLimiterRes): Counted => ({
  requests: consumedPoints,
  msLeft: Math.max(msBeforeNext, 0),
});

/** A counter of this process only. It stores a subject for the length of its window. */
export const createMemory = ({ what, windowSeconds }: CounterOptions): RateLimiterMemory =>
  new RateLimiterMemory({ keyPrefix: what, points: Number.MAX_SAFE_INTEGER, duration: windowSeconds });

export function createOwnCounter(options: CounterOptions): RequestCounter {
  const memory = createMemory(options);
  return { count: async (subject) => countedOf(await memory.penalty(subject)) };
}
