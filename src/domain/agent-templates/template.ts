import type { JsonObject } from '../graph/definition.ts';
import type { AgentDesign, CallType } from './design.ts';

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
  /** What the call asks, in a few words, for a person who is about to answer it. */
  tagline: string;
  /**
   * Replies to try, by the id of the node that asks. The simulated model understands them: said in order at
   * each node until it is left, they lead to an end.
   */
  sampleReplies: Readonly<Record<string, readonly string[]>>;
  /** A value for every initial variable of the design, for tests. */
  testValues: JsonObject;
  /** Settings of the copy (contract 3.1). */
  settings: JsonObject;
}

/** Outgoing calls tell answering machines from persons, so that a talk to one is not `reached`. */
export const machineDetection = (callType: CallType): JsonObject =>
  // guarantee: outbound-templates-detect-machines
  callType === 'outbound' ? { voicemail_detection: { enabled: true } } : {};

/**
 * Settings with a maximum call duration; after ten seconds of silence the agent asks whether the person is
 * still there.
 */
export const settingsFor = ({ minutes, callType }: { minutes: number; callType: CallType }): JsonObject => ({
  max_call_duration: minutes * 60,
  max_user_idle_timeout: 10,
  ...machineDetection(callType),
});
