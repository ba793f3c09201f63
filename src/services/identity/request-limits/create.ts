import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';
import type { RequestGroup } from '../../../contract/request-groups.ts';
import {
  createOwnCounter,
  type Counted,
  type CounterOptions,
  type RequestCounter,
} from '../../../db/request-counter.ts';
import { createSharedCounters } from '../../../db/shared-request-counter.ts';
import { InvariantError } from '../../../domain/errors.ts';
import { networkOf } from '../../../domain/person/network-of.ts';
import { windowSeconds, type RequestLimits } from '../../../domain/request-limits.ts';
import type { Logger } from '../../../runtime/logger.ts';
import type { Metrics } from '../../../runtime/metrics.ts';
import type { Actor } from '../../kernel/index.ts';

/** A request to count. `caller` is null for an unauthenticated one, which counts for its address. */
export interface LimitedRequest {
  group: RequestGroup;
  caller: { organizationId: number; actor: Actor } | null;
  address: string;
  requestId: string;
}

/** One limit that a request counted against. */
export interface LimitState extends Counted {
  /** Holder and group: `key_reads`, `organization_calls`, … */
  name: string;
  max: number;
  windowSeconds: number;
}

export interface RequestLimiter {
  /**
   * Counts a request for its key, and then for its organization unless the key is over its limit, so that one
   * excessive key does not use up the limit of the others. The last state says whether the request exceeds a
   * limit. Never fails.
   */
  count: (request: LimitedRequest) => Promise<LimitState[]>;
  stop(): Promise<void>;
}

export interface RequestLimiterOptions {
  limits: RequestLimits;
  /** Whether each process counts alone or all count together in MySQL. */
  store: 'memory' | 'mysql';
  db: DataSource;
  log: Logger;
  metrics: Metrics;
  /** Milliseconds between a process's reports to MySQL. */
  reportEveryMs?: number | undefined;
}

/** Counts requests in windows of one minute, by group (docs/security.md). */
export function createRequestLimits({
  limits,
  store,
  db,
  log,
  metrics,
  reportEveryMs,
}: RequestLimiterOptions): RequestLimiter {
  const shared =
    store === 'memory'
      ? null
      : createSharedCounters({ db, reportEveryMs, onFailure: failureReporter({ log, metrics }) });
  const counterOf = (group: RequestGroup): ((options: CounterOptions) => RequestCounter) => {
    if (shared === null) return createOwnCounter;
    return group === 'calls' ? shared.exact : shared.reported;
  };
  const limitsOf = createLimits(limits, counterOf);
  return {
    count: async (request) => {
      const states: LimitState[] = [];
      for (const { subject, limit } of limitsOf(request)) {
        const state = { ...limit, ...(await limit.counter.count(subject)) };
        states.push(state);
        if (state.requests > state.max) {
          metrics.count('parlance_requests_limited_total', { limit: limit.name });
          if (state.requests === state.max + 1)
            log.info(
              {
                requestId: request.requestId,
                organizationId: request.caller?.organizationId,
                limit: limit.name,
                holder: request.caller === null ? undefined : subject,
              },
              'A request limit was reached',
            );
          // guarantee: one-key-cannot-exhaust-org-limit
          break;
        }
      }
      return states;
    },
    stop: () => shared?.stop() ?? Promise.resolve(),
  };
}

interface Limit {
  name: string;
  max: number;
  windowSeconds: number;
  counter: RequestCounter;
}

/** Creates all limits with their counters. Answers a function that lists a request's limits and subjects. */
function createLimits(
  limits: RequestLimits,
  counterOf: (group: RequestGroup) => (options: CounterOptions) => RequestCounter,
) {
  const limitOf = (holder: keyof RequestLimits, group: RequestGroup, max: number): Limit => {
    const name = `${holder}_${group}`;
    return { name, max, windowSeconds, counter: counterOf(group)({ what: `limit_${name}`, windowSeconds }) };
  };
  const byGroup = (holder: 'key' | 'organization') => ({
    reads: limitOf(holder, 'reads', limits[holder].reads),
    writes: limitOf(holder, 'writes', limits[holder].writes),
    calls: limitOf(holder, 'calls', limits[holder].calls),
  });
  const [key, organization, downloads] = [
    byGroup('key'),
    byGroup('organization'),
    limitOf('network', 'downloads', limits.network.downloads),
  ];
  return ({ group, caller, address }: LimitedRequest): { limit: Limit; subject: string }[] => {
    if (group === 'downloads')
      return [{ limit: downloads, subject: createHash('sha256').update(networkOf(address)).digest('hex') }];
    if (caller === null) throw new InvariantError(`Requests of the group ${group} have a caller`);
    return [
      { limit: key[group], subject: holderOf(caller.actor) },
      { limit: organization[group], subject: `organization/${caller.organizationId}` },
    ];
  };
}

/** Each key counts alone; all sessions of a user count together. */
function holderOf(actor: Actor): string {
  switch (actor.kind) {
    case 'api_key':
      return `api_key/${actor.apiKeyId}`;
    case 'user':
      return `user/${actor.userId}`;
    case 'system':
      throw new InvariantError(`${actor.name} sends no requests`);
  }
}

/** Counts each failure of MySQL and logs at most one a minute. */
function failureReporter({
  log,
  metrics,
}: Pick<RequestLimiterOptions, 'log' | 'metrics'>): (error: unknown) => void {
  let reportedAt = -Infinity;
  return (error) => {
    metrics.count('parlance_request_limit_failures_total', {});
    if (performance.now() - reportedAt < 60_000) return;
    reportedAt = performance.now();
    log.warn({ err: error }, 'Requests could not be counted in MySQL: this process counts alone');
  };
}
