import type { Carriers } from '../../../../providers/carrier/port.ts';
import type { Ids } from '../../../../runtime/ids.ts';
import type { CallStarter } from '../../../../temporal/port.ts';
import type { CarrierEventDeps, CallLimits } from '../../../telephony/index.ts';

/** What is needed to take incoming calls. */
export interface InboundDeps extends CarrierEventDeps {
  calls: Pick<CallStarter, 'signalCarrierEvent' | 'takeInbound'>;
  ids: Ids;
  /** Absent = the installation speaks with no carrier; what is not taken then rings on. */
  accounts: Carriers | undefined;
  limits?: CallLimits | undefined;
}

/**
 * Why an incoming call is not taken: of the names of contract 12.5 those that happen here. A bad signature is
 * 401.
 */
export type InboundRefusal = 'WORKFLOW_NOT_FOUND' | 'PHONE_NUMBER_NOT_CONFIGURED' | 'CONCURRENT_CALL_LIMIT';
