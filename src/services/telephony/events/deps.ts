import type { DataSource } from 'typeorm';
import type { Carriers, CarrierWebhooks, SignedWebhook } from '../../../providers/carrier/port.ts';
import type { SecretBox } from '../../../providers/secrets/port.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Logger } from '../../../runtime/logger.ts';
import type { CallStarter } from '../../../temporal/port.ts';

/** What is needed to take events of a carrier. */
export interface CarrierEventDeps {
  db: DataSource;
  clock: Clock;
  log: Logger;
  secrets: SecretBox;
  calls: Pick<CallStarter, 'signalCarrierEvent'>;
  /** How to verify and read what each carrier sends. */
  webhooks: CarrierWebhooks;
  /**
   * Accounts at the carrier, for legs that their calls gave up; absent = this process speaks with none, and
   * leaves them to the others.
   */
  accounts?: Carriers | undefined;
}

/** A request as it came. */
export type SentWebhook = Pick<SignedWebhook, 'raw' | 'headers'>;
