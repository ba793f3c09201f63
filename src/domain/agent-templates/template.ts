import type { JsonObject } from '../graph/definition.ts';
import type { AgentDesign } from './design.ts';

/** A shipped agent to copy and change. */
export interface AgentTemplate {
  /** Never changes: clients identify a template by it. */
  id: number;
  name: string;
  /** One or two sentences for the list of templates. */
  description: string;
  /** Day of the release that added it. */
  addedAt: Date;
  design: AgentDesign;
  /** A value for every initial variable of the design, for tests. */
  testValues: JsonObject;
  /** Settings of the copy (contract 3.1). */
  settings: JsonObject;
}

/**
 * Settings with a maximum call duration; after ten seconds of silence the agent asks whether the person is
 * still there.
 */
export const settingsFor = ({ minutes }: { minutes: number }): JsonObject => ({
  max_call_duration: minutes * 60,
  max_user_idle_timeout: 10,
});
