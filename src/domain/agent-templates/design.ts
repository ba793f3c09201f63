/**
 * What an agent is to say and to find out, without the machinery around it. Shipped templates are designs,
 * and so is what the language model answers when it is to make an agent: `compose.ts` turns each into a
 * graph, and adds what no agent goes without.
 */
export interface AgentDesign {
  callType: CallType;
  /** Said at once; its first sentence says that an AI speaks. A template, like every prompt here. */
  greeting: string;
  /** Who the agent is, and facts that hold in every step. The manner of speaking is added. */
  role: string;
  /** The step after the greeting; its id is `opening`. */
  opening: Omit<Step, 'id'>;
  steps: readonly Step[];
  ends: readonly End[];
  ways: readonly Way[];
  /** Names of initial variables that the webhook passes on, so that the receiver knows whom it was about. */
  passOn: readonly string[];
}

export type CallType = 'inbound' | 'outbound';

export interface Step {
  id: string;
  name: string;
  prompt: string;
  /** Read out of the conversation here. */
  variables?: readonly DesignVariable[];
}

export interface End extends Step {
  /** What `call_disposition` becomes when a conversation ends here. */
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
  /** Names the function that the model calls to go this way. */
  label: string;
  condition: string;
  /** Said while going. */
  speech?: string;
}

/** The id of the first step, and those of the ends that every agent gets. */
export const openingId = 'opening';
export const doNotCallId = 'do_not_call';
export const voicemailId = 'voicemail';
