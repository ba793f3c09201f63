import type { Carriers } from '../../providers/carrier/port.ts';
import type { Ids } from '../../runtime/ids.ts';
import type { CallStarter } from '../../temporal/port.ts';
import type { CarrierEventDeps } from '../carrier-events/index.ts';
import type { CallLimits } from '../telephony/deps.ts';

/** What is needed to take incoming calls. */
export interface InboundDeps extends CarrierEventDeps {
  calls: Pick<CallStarter, 'signalCarrierEvent' | 'takeInbound'>;
  ids: Ids;
  /** Absent = the installation speaks with no carrier; what is not taken then rings on. */
  accounts: Carriers | undefined;
  limits?: CallLimits | undefined;
}

/** Why an incoming call is not taken (contract 12.5). */
export const inboundRefusals = ['PROVIDER_MISMATCH', 'WORKFLOW_NOT_FOUND', 'ACCOUNT_VALIDATION_FAILED', 'PHONE_NUMBER_NOT_CONFIGURED', 'SIGNATURE_VALIDATION_FAILED', 'CONCURRENT_CALL_LIMIT', 'QUOTA_EXCEEDED', 'GENERAL_AUTH_FAILED'] as const;
export type InboundRefusal = (typeof inboundRefusals)[number];
