import type { Carriers } from '../../../providers/carrier/port.ts';
import type { TelephonyDeps } from '../outbound.ts';

/** What the operations on connections need besides the caller's context. */
export interface ConnectionDeps extends TelephonyDeps {
  /** Accounts at carriers; absent if this installation has no carrier. */
  accounts: Carriers | undefined;
  /** The URL to which carriers report incoming calls. */
  inboundUrl: string;
}
