import type { DeliveryInput, DrainInput } from '../workflows/delivery/messages.ts';

export type { DeliverySelection } from '../workflows/delivery/messages.ts';

/**
 * Deliveries in progress, as services see them. Each method throws UnavailableError('temporal') when Temporal
 * cannot be reached.
 */
export interface DeliveryStarter {
  /**
   * Makes the next attempt now: ends the wait of the delivery's Workflow or, when that is over, starts it
   * again. What returns is made; asked for an attempt that has begun meanwhile, that one is it.
   */
  resend(input: DeliveryInput): Promise<void>;
  /**
   * Sends many again, oldest first and one after another, as a Temporal Workflow. The same uuid is one drain.
   */
  drain(input: DrainInput & { drainUuid: string }): Promise<void>;
}
