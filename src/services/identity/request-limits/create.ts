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

/** A request of somebody who proved who they are, or null; then its address is all there is. */
export interface LimitedRequest {
  group: RequestGroup;
  caller: { organizationId: number; actor: Actor } | null;
  address: string;
  requestId: string;
}

/** One limit that a request counted against. */
export interface LimitState extends Counted {
  /** What is counted for whom: `key_reads`, `organization_calls`, … */
  name: string;
  max: number;
  windowSeconds: number;
}

export interface RequestLimiter {
  /**
   * Counts a request: for its key, then, unless that had too many, for its organization, so that a key that
   * runs wild does not use up what the others have. The last state says whether the request is one too many.
   * Never fails.
   */
  count: (request: LimitedRequest) => Promise<LimitState[]>;
  stop(): Promise<void>;
}

export interface RequestLimiterOptions {
  limits: RequestLimits;
  /** Each process counts for itself, or all together in MySQL. */
  store: 'memory' | 'mysql';
  db: DataSource;
  log: Logger;
  metrics: Metrics;
  /** Milliseconds between the reports of a process to MySQL. */
  reportEveryMs?: number | undefined;
}

/** Requests are counted in windows of a minute, by group (docs/security.md). */
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
      : createSharedCounters({ db, reportEveryMs, onFailure: failureTeller({ log, metrics }) });
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
          // guarantee: key-runs-wild-takes
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

/** Every limit with its counter; which ones a request counts against, and as whom. */
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

/** A key counts for itself; all sessions of a user count as one. */
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

/** MySQL that is away is told of in the log once a minute, and counted each time. */
function failureTeller({
  log,
  metrics,
}: Pick<RequestLimiterOptions, 'log' | 'metrics'>): (error: unknown) => void {
  let reportedAt = -Infinity;
  return (error) => {
    metrics.count('parlance_request_limit_failures_total', {});
    if (performance.now() - reportedAt < 60_000) return;
    reportedAt = performance.now();
    log.warn({ err: error }, 'Requests could not be counted in MySQL: this process counts for itself');
  };
}
