import type { Db } from '../../db/rows.ts';
import type { LlmPort } from '../../providers/llm/port.ts';
import type { Clock } from '../../runtime/clock.ts';
import { addToday } from '../identity/index.ts';

/**
 * The installation's model, whose requests count for the organization's quota of the day. A conversation does
 * not wait for the count, and a request that could not be counted is made all the same. The simulated model
 * costs nothing and is not counted.
 */
export function countingLlm(
  llm: LlmPort,
  { db, organizationId, clock }: { db: Db; organizationId: number; clock: Clock },
): LlmPort {
  if (llm.simulated) return llm;
  return {
    simulated: false,
    provider: llm.provider,
    stream: (...asked) => {
      // guarantee: installation-model-requests-counted
      void addToday({ db, organizationId, now: clock.now() }, { modelRequests: 1 }).catch(() => null);
      return llm.stream(...asked);
    },
  };
}
