import { timeoutsMs } from '../domain/declaration.ts';
import {
  awaitAttempt,
  selectDeliveries,
  takeWaiting,
  type AwaitedAttempt,
  type Backlog,
  type DeliveryDeps,
  type SelectedDelivery,
  type Selection,
  type WaitingDelivery,
} from '../services/webhooks/index.ts';
import { beating } from './beating.ts';
import { toApplicationFailure } from './failure.ts';

export type { SelectedDelivery } from '../services/webhooks/index.ts';

export type DrainActivities = ReturnType<typeof createDrainActivities>;

/** A whole attempt and a little; less than the activity may take. */
const awaitLimitMs = timeoutsMs.deliveryAttemptStartToClose - 5000;

type TimestampName = 'from' | 'to' | 'finishedFrom' | 'finishedTo';

/** Moments are ISO 8601 here. */
export interface SelectInput {
  selection: {
    organizationId: number;
    throughId: number;
    filter: Omit<Selection['filter'], TimestampName> & { [Name in TimestampName]?: string | undefined };
  };
  /** Row id; what is answered comes after it. */
  afterId: number;
}

const timestampOf = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : new Date(text);

/** Activities of `drainWorkflow` and `backlogWorkflow`; each is one verb of src/services/deliveries. */
export function createDrainActivities({ db }: Pick<DeliveryDeps, 'db'>) {
  return {
    /** The next deliveries of a drain, oldest first; none when it is over. */
    async selectDeliveries({ selection, afterId }: SelectInput): Promise<SelectedDelivery[]> {
      const { from, to, finishedFrom, finishedTo, ...filter } = selection.filter;
      const moments = {
        from: timestampOf(from),
        to: timestampOf(to),
        finishedFrom: timestampOf(finishedFrom),
        finishedTo: timestampOf(finishedTo),
      };
      return await selectDeliveries({
        db,
        selection: { ...selection, filter: { ...filter, ...moments } },
        afterId,
      }).catch((error: unknown) => {
        throw toApplicationFailure(error, { organizationId: selection.organizationId });
      });
    },

    /** The next delivery that waits for the endpoint of a backlog; null when none does. */
    async takeWaiting(input: Backlog & { afterId: number }): Promise<WaitingDelivery | null> {
      return await takeWaiting({ db, input }).catch((error: unknown) => {
        throw toApplicationFailure(error, { organizationId: input.organizationId });
      });
    },

    /**
     * Ends when that attempt, which another Workflow makes, is over; answers how it ended, null when it did
     * not begin.
     */
    async awaitAttempt(input: AwaitedAttempt): Promise<'started' | 'succeeded' | 'failed' | null> {
      return await beating((signal) => awaitAttempt({ db, input, signal, limitMs: awaitLimitMs })).catch(
        (error: unknown) => {
          throw toApplicationFailure(error, { deliveryUuid: input.deliveryUuid });
        },
      );
    },
  };
}
