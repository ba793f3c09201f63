import { RateLimiterMySQL, RLWrapperTimeouts, type RateLimiterMemory } from 'rate-limiter-flexible';
import type { DataSource } from 'typeorm';
import { attemptsTable } from './attempts-table.ts';
import { countedOf, createMemory, type CounterOptions, type RequestCounter } from './request-counter.ts';

/**
 * Counters that all processes share, in the table `attempts`. Two kinds:
 *
 * - *exact*: each request waits for MySQL (a short transaction). For requests that are few and begin
 *   something.
 * - *reported*: a request is counted in memory and waits for nothing. Once a second each process adds what
 *   it counted to the table
 *   and takes over the sum, so processes together may let through what they get within a second beyond the
 *   limit.
 *
 * Rows that have expired are removed by the limiters of sign-ins, which keep theirs in the same table.
 *
 * When MySQL is away or slow, each process goes on with what it counted itself, and says so through
 * `onFailure`.
 */
export interface SharedCounters {
  exact: (options: CounterOptions) => RequestCounter;
  reported: (options: CounterOptions) => RequestCounter;
  /** Hands over what was counted since the last time; the timer does, too. */
  report(): Promise<void>;
  stop(): Promise<void>;
}

export interface SharedCountersOptions {
  db: DataSource;
  onFailure: (error: unknown) => void;
  reportEveryMs?: number;
  /** How long an exact counter waits for MySQL. */
  timeoutMs?: number;
}

/** Throws nothing; what fails later is told to `onFailure`. */
export function createSharedCounters({
  db,
  onFailure,
  reportEveryMs = 1000,
  timeoutMs = 500,
}: SharedCountersOptions): SharedCounters {
  const tableOf = ({ what, windowSeconds }: CounterOptions) =>
    new RLWrapperTimeouts({
      timeoutMs,
      limiter: new RateLimiterMySQL({
        ...attemptsTable(db),
        clearExpiredByTimeout: false,
        keyPrefix: what,
        points: maxInt,
        duration: windowSeconds,
      }),
    });
  const reporters: (() => Promise<void>)[] = [];
  const report = async () => {
    for (const each of reporters) await each().catch(onFailure);
  };
  const timer = repeat(report, reportEveryMs);
  return {
    exact: (options) => exactCounter({ own: createMemory(options), table: tableOf(options), onFailure }),
    reported: (options) => {
      const counter = reportedCounter({ own: createMemory(options), table: tableOf(options) });
      reporters.push(counter.report);
      return counter;
    },
    report,
    stop: () => timer.stop(),
  };
}

/** Most of the column `points`. */
const maxInt = 2 ** 31 - 1;

interface Parts {
  own: RateLimiterMemory;
  table: RLWrapperTimeouts;
}

function exactCounter({
  own,
  table,
  onFailure,
}: Parts & Pick<SharedCountersOptions, 'onFailure'>): RequestCounter {
  return {
    count: async (subject) => {
      const mine = await own.penalty(subject);
      try {
        return countedOf(await table.penalty(subject));
      } catch (error) {
        onFailure(error);
        // guarantee: limits-refuse-nobody-because
        return countedOf(mine);
      }
    },
  };
}

function reportedCounter({ own, table }: Parts): RequestCounter & Pick<SharedCounters, 'report'> {
  let unreported = new Map<string, number>();
  return {
    count: async (subject) => {
      unreported.set(subject, (unreported.get(subject) ?? 0) + 1);
      return countedOf(await own.penalty(subject));
    },
    /** What could not be handed over is not tried again: it stays counted here. */
    report: async () => {
      const counts = unreported;
      unreported = new Map();
      for (const [subject, requests] of counts) {
        const all = await table.penalty(subject, requests);
        const since = unreported.get(subject) ?? 0;
        // guarantee: processes-share-limit
        await own.set(subject, all.consumedPoints + since, Math.max(all.msBeforeNext, 1) / 1000);
      }
    },
  };
}

/** One round after the other, with pauses between them that keep no process alive. */
function repeat(work: () => Promise<void>, everyMs: number): { stop(): Promise<void> } {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const pause = () => {
    if (isOver) return;
    timer = setTimeout(() => {
      running = work().then(pause);
    }, everyMs).unref();
  };
  pause();
  return {
    stop: async () => {
      isOver = true;
      clearTimeout(timer);
      await running;
    },
  };
}
