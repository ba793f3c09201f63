import type { CallStarter } from '../../../temporal/port.ts';

/** Dependencies of text sessions besides the service context. */
export interface TextSessionDeps {
  calls: CallStarter;
}

/** Identifies a text session, as its URL does. */
export interface TextSessionRef {
  agentId: number;
  callId: number;
}
