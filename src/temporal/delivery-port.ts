import type { BacklogInput, DeliveryInput, DrainInput } from '../workflows/delivery/messages.ts';

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

/** What follows from a first attempt, which the pump made. Each method throws UnavailableError('temporal'). */
export interface DeliveryFollower {
  /**
   * Goes on with a delivery whose first attempt failed. Does nothing if its Workflow runs or has run: it owns
   * the delivery.
   */
  continueDelivery(delivery: { callId: number; nodeName: string; input: DeliveryInput }): Promise<void>;
  /** Starts the backlog of an endpoint that works again, unless it runs. */
  startBacklog(input: BacklogInput): Promise<void>;
}
