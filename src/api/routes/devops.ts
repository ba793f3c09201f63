import { createHash, timingSafeEqual } from 'node:crypto';
import { ForbiddenError, NotFoundError } from '../../domain/errors.ts';
import type { LoopLag } from '../../runtime/loop-lag.ts';
import type { Handlers } from '../bind.ts';

export interface DevopsRouteDeps {
  /** The operator's secret, and the event loop delay of this process. Undefined disables these routes. */
  devops?: { secret: string; loopLag: LoopLag } | undefined;
  /** Counts the live calls of all organizations. */
  countActiveCalls: () => Promise<number>;
}

/** Load of the service, for autoscalers (contract 13.4). */
export function devopsHandlers<Caller>({
  devops,
  countActiveCalls,
}: DevopsRouteDeps): Pick<Handlers<Caller>, 'getActiveCalls' | 'getAutoscaleMetric'> {
  const authorized = (presented: string | undefined): LoopLag => {
    if (devops === undefined) throw new NotFoundError('Not Found');
    if (presented === undefined || !timingSafeEqual(digest(presented), digest(devops.secret)))
      throw new ForbiddenError('Invalid devops secret');
    return devops.loopLag;
  };
  return {
    getActiveCalls: async ({ input: { headers } }) => {
      const { p95Ms, maxMs } = authorized(headers['X-Dograh-Devops-Secret']).read();
      return { active_calls: await countActiveCalls(), loop_lag_p95_ms: p95Ms, loop_lag_max_ms: maxMs };
    },
    getAutoscaleMetric: async ({ input: { headers, query } }) => {
      authorized(headers['X-Dograh-Devops-Secret']);
      return { value: (await countActiveCalls()) + (query.buffer ?? 0) };
    },
  };
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
