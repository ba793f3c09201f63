import type { DeliveryInput, DrainInput } from '../workflows/delivery/messages.ts';

export type { DeliverySelection } from '../workflows/delivery/messages.ts';

/** Runs deliveries. Each method throws UnavailableError('temporal') when Temporal cannot be reached. */
export interface DeliveryStarter {
  /**
   * Makes the next attempt now: ends the wait of the delivery's Workflow or, if that has ended, starts it
   * again. An attempt that has begun in the meantime counts as the requested one.
   */
  resend(input: DeliveryInput): Promise<void>;
  /**
   * Sends many deliveries again, oldest first and one after another, in a Temporal Workflow. The same uuid
   * names the same drain.
   */
  drain(input: DrainInput & { drainUuid: string }): Promise<void>;
}
