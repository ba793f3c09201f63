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
import type { CallLimits } from '../outbound.ts';

/** What the commands of a phone call need. */
export interface PhoneDeps {
  db: DataSource;
  clock: Clock;
  ids: Ids;
  log: Logger;
  secrets: SecretBox;
  /** Accounts at carriers. */
  accounts: Carriers;
  /** For the request that resolves the destination of a transfer. */
  http: CustomerHttpPort;
  /** Called directly before a campaign's call is dialed; null if the call may be dialed. */
  checkBeforeDial: (call: Pick<CallRow, 'id' | 'campaignId' | 'organizationId'>) => Promise<NotDialed | null>;
  /** Replaces the usual limits. */
  limits?: CallLimits | undefined;
  /** Base URL of this service, to which the carrier sends events. */
  publicUrl: string;
}

/** A call on one connection. */
export interface PhoneCallRef extends CallRef {
  callUuid: string;
  configurationId: number;
}
