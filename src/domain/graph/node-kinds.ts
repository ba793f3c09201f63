import type { Field, Fields } from './fields.ts';

/** The kinds of nodes and their static properties (contract 2.2, 2.3). New kinds are added here. */
export interface NodeKindSpec {
  /** The name for people; faults also use it for a node without a name. */
  label: string;
  category: 'call_node' | 'global_node' | 'trigger' | 'integration';
  /** Distinct neighbors; null = no limit. */
  incoming: Range;
  outgoing: Range;
  /** How many nodes of the kind a graph may have. */
  instances: Range;
  fields: Fields;
}

export interface Range {
  min: number;
  max: number | null;
}

const none: Range = { min: 0, max: 0 };
const any: Range = { min: 0, max: null };
const oneOrMore: Range = { min: 1, max: null };
const atMostOne: Range = { min: 0, max: 1 };

const name = { name: { type: 'string', required: true } } satisfies Fields;
/** A separate rule requires prompts, because absent and blank are the same fault (contract 2.5). */
const prompt = { prompt: { type: 'string', nullable: true } } satisfies Fields;
const flags = {
  is_start: { type: 'boolean', nullable: true, unlisted: true },
  is_end: { type: 'boolean', nullable: true, unlisted: true },
} satisfies Fields;
const optionalText: Field = { type: 'string', nullable: true };
const flag: Field = { type: 'boolean' };

const extraction = {
  extraction_enabled: flag,
  extraction_prompt: optionalText,
  extraction_variables: {
    type: 'records',
    nullable: true,
    item: {
      name: { type: 'string', required: true },
      type: { type: 'choice', options: ['string', 'number', 'boolean'] },
      prompt: optionalText,
    },
  },
} satisfies Fields;

const abilities = {
  tool_uuids: { type: 'strings', nullable: true },
  document_uuids: { type: 'strings', nullable: true },
  mcp_tool_filters: { type: 'string_lists', nullable: true, unlisted: true },
} satisfies Fields;

export const preCallFetchModes = ['disabled', 'always', 'inbound', 'outbound'] as const;

const opening = {
  greeting_type: { type: 'choice', options: ['text', 'audio'], nullable: true },
  greeting: optionalText,
  greeting_recording_id: optionalText,
  delayed_start: flag,
  delayed_start_duration: { type: 'number', nullable: true },
  pre_call_fetch_mode: { type: 'choice', options: preCallFetchModes },
  pre_call_fetch_url: optionalText,
  pre_call_fetch_credential_uuid: optionalText,
  pre_call_fetch_enabled: { type: 'boolean', nullable: true, retired: true },
} satisfies Fields;

const conversation = {
  ...name,
  ...prompt,
  ...flags,
  ...extraction,
  add_global_prompt: flag,
} satisfies Fields;

export const webhookMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const addressee: Field = { type: 'string', nullable: true, addressee: true };

const webhook = {
  ...name,
  enabled: flag,
  http_method: { type: 'choice', options: webhookMethods, nullable: true },
  endpoint_url: addressee,
  credential_uuid: optionalText,
  custom_headers: {
    type: 'records',
    nullable: true,
    item: { key: { type: 'string', required: true }, value: { type: 'string', required: true } },
  },
  payload_template: { type: 'object', nullable: true },
} satisfies Fields;

const secret: Field = { type: 'string', nullable: true, secret: true };

const qa = {
  ...name,
  qa_enabled: flag,
  qa_system_prompt: optionalText,
  qa_min_call_duration: { type: 'number' },
  qa_voicemail_calls: flag,
  qa_sample_rate: { type: 'integer', min: 1, max: 100 },
  qa_use_workflow_llm: flag,
  qa_provider: {
    type: 'choice',
    options: ['openai', 'azure', 'openrouter', 'anthropic'],
    nullable: true,
    addressee: true,
  },
  qa_model: optionalText,
  qa_api_key: secret,
  qa_endpoint: addressee,
} satisfies Fields;

const cost = (max: number): Field => ({ type: 'number', nullable: true, min: 0, max });

const tuner = {
  ...name,
  tuner_enabled: flag,
  tuner_agent_id: optionalText,
  tuner_workspace_id: { type: 'integer', nullable: true, min: 1 },
  tuner_api_key: secret,
  cost_calculation_enabled: flag,
  cost_llm_input_rate: cost(1000),
  cost_llm_cached_input_rate: cost(1000),
  cost_llm_output_rate: cost(1000),
  cost_tts_rate: cost(100),
  cost_stt_rate: cost(100),
  cost_telephony_rate: cost(100),
} satisfies Fields;

const paygent = {
  ...name,
  paygent_enabled: flag,
  paygent_api_key: secret,
  paygent_agent_id: optionalText,
  paygent_customer_id: optionalText,
  paygent_indicator: optionalText,
} satisfies Fields;

const noveum = {
  ...name,
  noveum_enabled: flag,
  noveum_api_key: secret,
  noveum_project: optionalText,
  noveum_environment: optionalText,
  noveum_record_audio: flag,
} satisfies Fields;

export const nodeKinds = {
  startCall: {
    label: 'Start Call',
    category: 'call_node',
    incoming: none,
    outgoing: any,
    instances: { min: 1, max: 1 },
    fields: { ...conversation, allow_interrupt: flag, ...opening, ...abilities },
  },
  agentNode: {
    label: 'Agent Node',
    category: 'call_node',
    incoming: oneOrMore,
    outgoing: any,
    instances: any,
    fields: { ...conversation, allow_interrupt: flag, ...abilities },
  },
  endCall: {
    label: 'End Call',
    category: 'call_node',
    incoming: oneOrMore,
    outgoing: none,
    instances: any,
    fields: conversation,
  },
  globalNode: {
    label: 'Global Node',
    category: 'global_node',
    incoming: none,
    outgoing: none,
    instances: atMostOne,
    fields: { ...name, ...prompt },
  },
  trigger: {
    label: 'API Trigger',
    category: 'trigger',
    incoming: none,
    outgoing: any,
    instances: atMostOne,
    fields: { ...name, enabled: flag, trigger_path: { type: 'any' } },
  },
  webhook: {
    label: 'Webhook',
    category: 'integration',
    incoming: none,
    outgoing: none,
    instances: any,
    fields: webhook,
  },
  qa: {
    label: 'QA Analysis',
    category: 'integration',
    incoming: none,
    outgoing: none,
    instances: any,
    fields: qa,
  },
  tuner: {
    label: 'Tuner',
    category: 'integration',
    incoming: none,
    outgoing: none,
    instances: atMostOne,
    fields: tuner,
  },
  paygent: {
    label: 'Paygent',
    category: 'integration',
    incoming: none,
    outgoing: none,
    instances: atMostOne,
    fields: paygent,
  },
  noveum: {
    label: 'Noveum',
    category: 'integration',
    incoming: none,
    outgoing: none,
    instances: atMostOne,
    fields: noveum,
  },
} as const satisfies Record<string, NodeKindSpec>;

export type NodeKind = keyof typeof nodeKinds;
export type ConversationKind = 'startCall' | 'agentNode' | 'endCall';

/** The fields of an edge's data (contract 2.4). */
export const edgeFields = {
  label: { type: 'string', required: true, minLength: 1 },
  condition: { type: 'string', required: true, minLength: 1 },
  transition_speech: optionalText,
  transition_speech_type: { type: 'choice', options: ['text', 'audio'], nullable: true },
  transition_speech_recording_id: optionalText,
} satisfies Fields;

export function isNodeKind(value: unknown): value is NodeKind {
  return typeof value === 'string' && Object.hasOwn(nodeKinds, value);
}

export function isConversationKind(value: unknown): value is ConversationKind {
  return value === 'startCall' || value === 'agentNode' || value === 'endCall';
}

/** The entry of a kind, with the general type. */
export function kindSpec(kind: NodeKind): NodeKindSpec {
  return nodeKinds[kind];
}
