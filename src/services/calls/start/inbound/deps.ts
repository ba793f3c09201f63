import type { Carriers } from '../../../../providers/carrier/port.ts';
import type { Ids } from '../../../../runtime/ids.ts';
import type { CallStarter } from '../../../../temporal/port.ts';
import type { CarrierEventDeps, CallLimits } from '../../../telephony/index.ts';

/** Dependencies of taking incoming calls. */
export interface InboundDeps extends CarrierEventDeps {
  calls: Pick<CallStarter, 'signalCarrierEvent' | 'takeInbound'>;
  ids: Ids;
  /** Absent when the installation has no carrier; a call that is not taken then keeps ringing. */
  accounts: Carriers | undefined;
  limits?: CallLimits | undefined;
}

/** Why an incoming call is not taken, as contract 12.5 names it. A bad signature is a 401 instead. */
export type InboundRefusal =
  | 'WORKFLOW_NOT_FOUND'
  | 'PHONE_NUMBER_NOT_CONFIGURED'
  | 'CONCURRENT_CALL_LIMIT'
  | 'QUOTA_EXCEEDED';
