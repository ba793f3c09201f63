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

/** Activities of `deliveryWorkflow`; each calls one function of src/services/webhooks. */
export function createDeliveryActivities(deps: DeliveryDeps) {
  return {
    /** Makes one attempt. It heartbeats so that a dead worker is detected within seconds. */
    async attemptDelivery(input: AttemptInput): Promise<AttemptOutcome> {
      return await beating((signal) => attemptDelivery({ deps, input, signal })).catch((error: unknown) => {
        throw toApplicationFailure(error, { ...input });
      });
    },

    /** Stores the time of the next attempt, for people. The timer itself is in the Workflow. */
    async scheduleNextAttempt(input: { deliveryUuid: string; nextAttemptAt: string }): Promise<void> {
      await scheduleNextAttempt({
        deps,
        input: { ...input, nextAttemptAt: new Date(input.nextAttemptAt) },
      }).catch(rethrow(input.deliveryUuid));
    },

    /** Ends the delivery as a dead letter; a delivery that has ended stays unchanged. */
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
