import type { DataSource } from 'typeorm';
import type { Carriers } from '../../../providers/carrier/port.ts';
import type { CustomerHttpPort } from '../../../providers/http/port.ts';
import type { SecretBox } from '../../../providers/secrets/port.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Ids } from '../../../runtime/ids.ts';
import type { Logger } from '../../../runtime/logger.ts';
import type { CallRow } from '../../../db/tables/calls.ts';
import type { NotDialed } from '../../../domain/campaign/not-dialed.ts';
import type { CallRef } from '../../kernel/index.ts';

/** What the commands of a call by phone need of the world. */
export interface PhoneDeps {
  db: DataSource;
  clock: Clock;
  ids: Ids;
  log: Logger;
  secrets: SecretBox;
  /** Accounts at the carrier, by their keys. */
  accounts: Carriers;
  /** For the resolver of a transfer. */
  http: CustomerHttpPort;
  /** Asked directly before a call of a campaign is dialed; null = it may ring. */
  checkBeforeDial: (call: Pick<CallRow, 'id' | 'campaignId' | 'organizationId'>) => Promise<NotDialed | null>;
  /** Base URL of this service: where the carrier sends events. */
  publicUrl: string;
}

/** A call on a line of one connection. */
export interface LineRef extends CallRef {
  callUuid: string;
  configurationId: number;
}
