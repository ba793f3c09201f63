import type { JsonObject } from '../graph/definition.ts';
import type { AgentDesign } from './design.ts';

/** An agent that is shipped, to be copied and changed. */
export interface AgentTemplate {
  /** For ever: programs name a template by it. */
  id: number;
  name: string;
  /** Of one or two sentences, for who chooses. */
  description: string;
  /** Day of the release that brought it. */
  addedAt: Date;
  design: AgentDesign;
  /** A value for every initial variable of the design, for tests. */
  testValues: JsonObject;
  /** Of the copy (contract 3.1). */
  settings: JsonObject;
}

/**
 * Settings of a call that lasts so long at most; who is silent for ten seconds is asked whether they are
 * still there.
 */
export const settingsFor = ({ minutes }: { minutes: number }): JsonObject => ({
  max_call_duration: minutes * 60,
  max_user_idle_timeout: 10,
});
