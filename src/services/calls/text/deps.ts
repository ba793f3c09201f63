import type { CallStarter } from '../../../temporal/port.ts';
import type { ModelQuotas } from '../../models/index.ts';

/** Dependencies of text sessions besides the service context. */
export interface TextSessionDeps {
  calls: CallStarter;
  /** Replaces the usual quotas of the installation's models. */
  quotas?: ModelQuotas | undefined;
}

/** Identifies a text session, as its URL does. */
export interface TextSessionRef {
  agentId: number;
  callId: number;
}
