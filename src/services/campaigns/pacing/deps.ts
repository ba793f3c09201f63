import type { DataSource } from 'typeorm';
import type { Carriers } from '../../../providers/carrier/port.ts';
import type { SecretBox } from '../../../providers/secrets/port.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Ids } from '../../../runtime/ids.ts';
import type { Logger } from '../../../runtime/logger.ts';
import type { Timer } from '../../../runtime/timer.ts';
import type { CallStarter } from '../../../temporal/port.ts';
import type { OutboundCarriers, CallLimits } from '../../telephony/index.ts';

/** What pacing depends on. */
export interface PaceDeps {
  db: DataSource;
  clock: Clock;
  /** Measures how long `pace` runs, and waits between rounds; absent = the system's timer. */
  timer?: Timer | undefined;
  ids: Ids;
  log: Logger;
  secrets: SecretBox;
  calls: Pick<CallStarter, 'startCall' | 'cancelCall'>;
  /** Providers that can dial. */
  carriers: Pick<OutboundCarriers, 'has'>;
  /**
   * Carrier accounts, by their keys. A carrier that takes no dials is asked through them whether it answers.
   */
  accounts: Carriers;
  /**
   * Starts the import of a directory whose rows have not been read. If one is already running, that one
   * counts.
   */
  startImport: (directory: { organizationId: number; directoryId: number }) => Promise<void>;
  /** Instead of the usual limits. */
  limits?: CallLimits | undefined;
}

/** A campaign, as every part of the pacer names it. */
export interface CampaignRef {
  campaignId: number;
  organizationId: number;
}
