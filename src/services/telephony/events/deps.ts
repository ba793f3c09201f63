import type { DataSource } from 'typeorm';
import type { Carriers, CarrierWebhooks, SignedWebhook } from '../../../providers/carrier/port.ts';
import type { SecretBox } from '../../../providers/secrets/port.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Logger } from '../../../runtime/logger.ts';
import type { CallStarter } from '../../../temporal/port.ts';

/** What receiving a carrier's events needs. */
export interface CarrierEventDeps {
  db: DataSource;
  clock: Clock;
  log: Logger;
  secrets: SecretBox;
  calls: Pick<CallStarter, 'signalCarrierEvent'>;
  /** How to verify and read what each carrier sends. */
  webhooks: CarrierWebhooks;
  /**
   * Accounts at carriers, for hanging up given-up legs; absent if this process has none and leaves those legs
   * to other processes.
   */
  accounts?: Carriers | undefined;
}

/** A webhook request as it was received. */
export type SentWebhook = Pick<SignedWebhook, 'raw' | 'headers'>;
