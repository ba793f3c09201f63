import type { CallStarter } from '../../../temporal/port.ts';

/** What text sessions need beside the caller's context: the running calls. */
export interface TextSessionDeps {
  calls: CallStarter;
}

/** A text session as its address names it. */
export interface TextSessionRef {
  agentId: number;
  callId: number;
}
