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

/** Longer than one attempt, shorter than the activity's timeout. */
const awaitLimitMs = timeoutsMs.deliveryAttemptStartToClose - 5000;

type TimestampName = 'from' | 'to' | 'finishedFrom' | 'finishedTo';

/** Timestamps are ISO 8601. */
export interface SelectInput {
  selection: {
    organizationId: number;
    throughId: number;
    filter: Omit<Selection['filter'], TimestampName> & { [Name in TimestampName]?: string | undefined };
  };
  /** Row id after which the page begins. */
  afterId: number;
}

const timestampOf = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : new Date(text);

/** Activities of `drainWorkflow` and `backlogWorkflow`; each calls one function of src/services/webhooks. */
export function createDrainActivities({ db }: Pick<DeliveryDeps, 'db'>) {
  return {
    /** Selects the next deliveries of a drain, oldest first; none at its end. */
    async selectDeliveries({ selection, afterId }: SelectInput): Promise<SelectedDelivery[]> {
      const { from, to, finishedFrom, finishedTo, ...filter } = selection.filter;
      const timestamps = {
        from: timestampOf(from),
        to: timestampOf(to),
        finishedFrom: timestampOf(finishedFrom),
        finishedTo: timestampOf(finishedTo),
      };
      return await selectDeliveries({
        db,
        selection: { ...selection, filter: { ...filter, ...timestamps } },
        afterId,
      }).catch((error: unknown) => {
        throw toApplicationFailure(error, { organizationId: selection.organizationId });
      });
    },

    /** Takes the next delivery that waits for the endpoint of a backlog; null when none waits. */
    async takeWaiting(input: Backlog & { afterId: number }): Promise<WaitingDelivery | null> {
      return await takeWaiting({ db, input }).catch((error: unknown) => {
        throw toApplicationFailure(error, { organizationId: input.organizationId });
      });
    },

    /**
     * Waits for the end of an attempt that another Workflow makes. Returns its outcome, or null when it did
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
