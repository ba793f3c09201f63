/**
 * What an agent should say and find out, before a graph is built from it. Shipped templates and the language
 * model's generated agents are designs. `compose.ts` turns them into graphs and adds what every agent needs.
 */
export interface AgentDesign {
  callType: CallType;
  /** Spoken first; its first sentence says that an AI is speaking. A template, like every prompt here. */
  greeting: string;
  /** Who the agent is, and facts that hold in every step. The manner of speaking is added. */
  role: string;
  /** The step after the greeting; its id is `opening`. */
  opening: Omit<Step, 'id'>;
  steps: readonly Step[];
  ends: readonly End[];
  ways: readonly Way[];
  /** Names of initial variables that the webhook includes, so that the receiver can identify the person. */
  passOn: readonly string[];
}

export type CallType = 'inbound' | 'outbound';

export interface Step {
  id: string;
  name: string;
  prompt: string;
  /** Extracted from the conversation at this step. */
  variables?: readonly DesignVariable[];
}

export interface End extends Step {
  /** The `call_disposition` of a conversation that ends here. */
  disposition: string;
}

export interface DesignVariable {
  name: string;
  type: 'string' | 'number' | 'boolean';
  prompt: string;
}

export interface Way {
  from: string;
  to: string;
  /** Names the function that the model calls to follow the edge. */
  label: string;
  condition: string;
  /** Spoken while following the edge. */
  speech?: string;
}

/** The id of the first step, and those of the ends that every agent gets. */
export const openingId = 'opening';
export const doNotCallId = 'do_not_call';
export const voicemailId = 'voicemail';
