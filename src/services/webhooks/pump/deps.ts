import type { Tracing } from '../../../runtime/tracing.ts';
import type { DeliveryFollower } from '../../../temporal/delivery-port.ts';
import type { DeliveryDeps } from '../deliveries/deps.ts';
import type { Recorded } from '../deliveries/record-outcome.ts';

/** What the pump needs. */
export interface PumpDeps extends DeliveryDeps {
  follower: DeliveryFollower;
  tracing: Tracing;
  /** Measures an attempt that has ended. */
  onAttempt: (result: Recorded['judgment']['kind'] | 'error', seconds: number) => void;
}
