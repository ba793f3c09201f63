import {
  attemptDelivery,
  giveUpDelivery,
  scheduleNextAttempt,
  type AttemptInput,
  type AttemptOutcome,
  type DeliveryDeps,
} from '../services/webhooks/index.ts';
import { beating } from './beating.ts';
import { toApplicationFailure } from './failure.ts';

export type { AttemptOutcome } from '../services/webhooks/index.ts';

export type DeliveryActivities = ReturnType<typeof createDeliveryActivities>;

/** Activities of `deliveryWorkflow`; each is one verb of src/services/deliveries. */
export function createDeliveryActivities(deps: DeliveryDeps) {
  return {
    /** One attempt; heartbeats so that a dead worker is noticed within seconds. */
    async attemptDelivery(input: AttemptInput): Promise<AttemptOutcome> {
      return await beating((signal) => attemptDelivery({ deps, input, signal })).catch((error: unknown) => {
        throw toApplicationFailure(error, { ...input });
      });
    },

    /** The moment of the next attempt, for people; the timer itself is the Workflow's. */
    async scheduleNextAttempt(input: { deliveryUuid: string; nextAttemptAt: string }): Promise<void> {
      await scheduleNextAttempt({
        deps,
        input: { ...input, nextAttemptAt: new Date(input.nextAttemptAt) },
      }).catch(rethrow(input.deliveryUuid));
    },

    /** No further attempt; harmless when the delivery is finished already. */
    async giveUpDelivery(input: { deliveryUuid: string; reason: string }): Promise<void> {
      await giveUpDelivery({ deps, input }).catch(rethrow(input.deliveryUuid));
    },
  };
}

function rethrow(deliveryUuid: string) {
  return (error: unknown): never => {
    throw toApplicationFailure(error, { deliveryUuid });
  };
}
