import { type Definition, type JsonObject, nodesOf, own, ownObject, ownText } from '../graph/definition.ts';
import { readBoolean, readNumber } from '../graph/fields.ts';
import { stockInstruction } from '../graph/stock-instruction.ts';

/** A QA node of a stored graph; each key that is absent or invalid has the meaning of contract 2.3. */
export interface QaNode {
  id: string;
  name: string;
  enabled: boolean;
  /** The customer's instructions for judging, a template; null = ours. */
  systemPrompt: string | null;
  minCallDurationSec: number;
  /** Calls that reached voicemail are judged, too. */
  judgesVoicemail: boolean;
  /** 1–100: percentage of calls that are judged. */
  samplePercent: number;
  /** The node's own model; null = the agent's. */
  ownModel: OwnModel | null;
}

export const qaProviders = ['openai', 'azure', 'openrouter', 'anthropic'] as const;
export type QaProvider = (typeof qaProviders)[number];

export interface OwnModel {
  provider: QaProvider;
  /** The provider's name of the model; null when the node names none. */
  model: string | null;
  apiKey: string | null;
  /** Azure only: address of the customer's resource. */
  endpoint: string | null;
}

const defaultMinCallDurationSec = 15;
/** The meaning of `default`; other providers have no model that every account has. */
const defaultOpenAiModel = 'gpt-4.1';

/** The QA nodes that judge a call, in graph order: enabled ones with an id. */
export function judgingNodes(definition: Definition): QaNode[] {
  return nodesOf(definition)
    .filter((node) => own(node, 'type') === 'qa')
    .map((node) => toQaNode(text(node, 'id'), ownObject(node, 'data')))
    .filter(({ id, enabled }) => enabled && id !== '');
}

function toQaNode(id: string, data: JsonObject): QaNode {
  return {
    id,
    name: text(data, 'name'),
    enabled: readBoolean(own(data, 'qa_enabled')) ?? true,
    systemPrompt: ownInstruction(data),
    minCallDurationSec: readNumber(own(data, 'qa_min_call_duration')) ?? defaultMinCallDurationSec,
    judgesVoicemail: readBoolean(own(data, 'qa_voicemail_calls')) ?? false,
    samplePercent: readNumber(own(data, 'qa_sample_rate')) ?? 100,
    ownModel: (readBoolean(own(data, 'qa_use_workflow_llm')) ?? true) ? null : ownModelOf(data),
  };
}

/** Null for the catalog's text, which builders fill in: those instructions are ours. */
function ownInstruction(data: JsonObject): string | null {
  const instruction = present(text(data, 'qa_system_prompt'));
  return instruction === stockInstruction ? null : instruction;
}

function ownModelOf(data: JsonObject): OwnModel {
  const provider = qaProviders.find((each) => each === own(data, 'qa_provider')) ?? 'openai';
  const named = present(text(data, 'qa_model'));
  const model = named === null || named === 'default' ? null : named;
  return {
    provider,
    model: model ?? (provider === 'openai' ? defaultOpenAiModel : null),
    apiKey: present(text(data, 'qa_api_key')),
    endpoint: present(text(data, 'qa_endpoint')),
  };
}

/** Why a node's own model cannot be used, as the call's record shows it; null when it can. */
export function ownModelFault({ provider, model, apiKey, endpoint }: OwnModel): string | null {
  if (apiKey === null) return 'The QA node has no API key';
  if (model === null) return 'The QA node names no model';
  return provider === 'azure' && (endpoint === null || !URL.canParse(endpoint))
    ? 'The QA node has no valid endpoint'
    : null;
}

function text(data: JsonObject, key: string): string {
  return ownText(data, key) ?? '';
}

function present(value: string): string | null {
  return value.trim() === '' ? null : value.trim();
}
