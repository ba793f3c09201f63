import { RateLimiterMySQL, RLWrapperTimeouts, type RateLimiterMemory } from 'rate-limiter-flexible';
import type { DataSource } from 'typeorm';
import { attemptsTable } from './attempts-table.ts';
import { countedOf, createMemory, type CounterOptions, type RequestCounter } from './request-counter.ts';
import { guarded } from '../runtime/guarded.ts';

/**
 * Counters that all processes share, in the table `attempts`. There are two kinds:
 *
 * - *exact*: each request waits for MySQL (a short transaction). For rare requests that start something.
 * - *reported*: a request is counted in memory and does not wait. Once a second each process adds its count
 *   to the table and takes over the sum. Together, the processes may exceed the limit by the requests of one
 *   second.
 *
 * The limiters of sign-ins use the same table and remove expired rows.
 *
 * When MySQL is unavailable or slow, each process continues with its own count and reports that through
 * `onFailure`.
 */
export interface SharedCounters {
  exact: (options: CounterOptions) => RequestCounter;
  reported: (options: CounterOptions) => RequestCounter;
  /** Adds the counts since the last report to the table. The timer does this, too. */
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

/** Throws nothing; later failures go to `onFailure`. */
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
  const timer = repeat({ work: report, everyMs: reportEveryMs, onFailure });
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

/** Maximum value of the column `points`. */
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
        // guarantee: uncountable-requests-pass
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
    /** Counts that could not be added are not reported again: they stay counted in this process. */
    report: async () => {
      const counts = unreported;
      unreported = new Map();
      for (const [subject, requests] of counts) {
        const all = await table.penalty(subject, requests);
        const since = unreported.get(subject) ?? 0;
        // guarantee: rate-limit-shared-by-processes
        await own.set(subject, all.consumedPoints + since, Math.max(all.msBeforeNext, 1) / 1000);
      }
    },
  };
}

/** Runs the work repeatedly, with pauses that do not keep the process alive. */
function repeat({
  work,
  everyMs,
  onFailure,
}: {
  work: () => Promise<void>;
  everyMs: number;
  onFailure: (error: unknown) => void;
}): { stop(): Promise<void> } {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const pause = () => {
    if (isOver) return;
    timer = setTimeout(guarded(run, onFailure), everyMs).unref();
  };
  const run = (): Promise<void> => (running = work().then(pause));
  pause();
  return {
    stop: async () => {
      isOver = true;
      clearTimeout(timer);
      await running;
    },
  };
}
