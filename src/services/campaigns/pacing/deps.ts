import type { DataSource } from 'typeorm';
import type { Carriers } from '../../../providers/carrier/port.ts';
import type { SecretBox } from '../../../providers/secrets/port.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Ids } from '../../../runtime/ids.ts';
import type { Logger } from '../../../runtime/logger.ts';
import type { Timer } from '../../../runtime/timer.ts';
import type { CallStarter } from '../../../temporal/port.ts';
import type { OutboundCarriers, CallLimits } from '../../telephony/index.ts';

/** What pacing needs of the world. */
export interface PaceDeps {
  db: DataSource;
  clock: Clock;
  /** Measures how long a step lasts, and waits between its rounds; absent = the system's. */
  timer?: Timer | undefined;
  ids: Ids;
  log: Logger;
  secrets: SecretBox;
  calls: Pick<CallStarter, 'startCall' | 'cancelCall'>;
  /** Providers that can be dialed with. */
  carriers: Pick<OutboundCarriers, 'has'>;
  /** Accounts at the carrier, by their keys: one that takes no dials is asked whether it answers. */
  accounts: Carriers;
  /** Starts the import of a directory whose rows nobody has read yet; one that runs already is it. */
  startImport: (directory: { organizationId: number; directoryId: number }) => Promise<void>;
  /** Instead of the usual ones. */
  limits?: CallLimits | undefined;
}

/** A campaign, as every step of its pace names it. */
export interface CampaignRef {
  campaignId: number;
  organizationId: number;
}
