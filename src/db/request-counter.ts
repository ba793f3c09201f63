import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';

/** Counts the requests of subjects in windows that begin with the first one. */
export interface RequestCounter {
  /** One more request of that subject. Never fails: who cannot be counted is let through. */
  count(subject: string): Promise<Counted>;
}

export interface Counted {
  /** Of the subject in its window, with this one. */
  requests: number;
  /** Until the window ends. */
  msLeft: number;
}

export interface CounterOptions {
  /** What is counted, a machine word: different things are counted apart. */
  what: string;
  windowSeconds: number;
}

export const countedOf = ({ consumedPoints, msBeforeNext }: RateLimiterRes): Counted => ({
  requests: consumedPoints,
  msLeft: Math.max(msBeforeNext, 0),
});

/**
 * What this process counts for itself; nothing that waits. It keeps a subject as long as its window lasts.
 */
export const createMemory = ({ what, windowSeconds }: CounterOptions): RateLimiterMemory =>
  new RateLimiterMemory({ keyPrefix: what, points: Number.MAX_SAFE_INTEGER, duration: windowSeconds });

export function createOwnCounter(options: CounterOptions): RequestCounter {
  const memory = createMemory(options);
  return { count: async (subject) => countedOf(await memory.penalty(subject)) };
}
