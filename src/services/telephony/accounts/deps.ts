import type { Carriers } from '../../../providers/carrier/port.ts';
import type { TelephonyDeps } from '../outbound.ts';

/** What verbs on connections need beside the caller's context. */
export interface ConnectionDeps extends TelephonyDeps {
  /** Accounts at the carrier that this installation speaks with; absent = it speaks with none. */
  accounts: Carriers | undefined;
  /** Where a carrier is to tell of calls that come in. */
  inboundUrl: string;
}
