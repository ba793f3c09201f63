import type { CallStarter } from '../../../temporal/port.ts';
import type { FarFromQuota, ModelQuotas } from '../../models/index.ts';
import type { KeptTurns } from './kept-turns.ts';

/** Dependencies of text sessions besides the service context. */
export interface TextSessionDeps {
  calls: CallStarter;
  /** Replaces the usual quotas of the installation's models. */
  quotas?: ModelQuotas | undefined;
  far?: FarFromQuota | undefined;
  /** Absent = each answer reads all turns. */
  turns?: KeptTurns | undefined;
}

/** Identifies a text session, as its URL does. */
export interface TextSessionRef {
  agentId: number;
  callId: number;
}
