import { type ExtractionVariable, variablesOf } from './extraction-variables.ts';
import {
  type Definition,
  isObject,
  type JsonObject,
  nodesOf,
  own,
  ownList,
  ownObject,
  ownText,
} from './definition.ts';
import { conversationEdges } from './edges.ts';
import { readBoolean, readNumber } from './fields.ts';
import {
  isConversationKind,
  type ConversationKind,
  preCallFetchModes,
  webhookMethods,
} from './node-kinds.ts';

/**
 * A node of a stored graph as the service uses it: each key that is absent or invalid has the meaning of
 * contract 2.3, column “Model”. Texts are templates, not rendered here.
 */
export interface ConversationNode {
  id: string;
  kind: ConversationKind;
  name: string;
  prompt: string;
  addGlobalPrompt: boolean;
  allowInterrupt: boolean;
  /** Spoken first; null = the model opens. Start node only. */
  greeting: { kind: 'text'; text: string } | { kind: 'audio'; recordingId: string } | null;
  /** Wait before the opening; 0 = none. Start node only. */
  delayedStartMs: number;
  extractionPrompt: string;
  /** Empty when nothing is extracted here (contract 8.1). */
  extractionVariables: ExtractionVariable[];
  toolUuids: string[];
  documentUuids: string[];
  preCallFetch: {
    mode: (typeof preCallFetchModes)[number];
    url: string | null;
    credentialUuid: string | null;
  };
}

/** The conversation node of that id with its defaults, or null. */
export function nodeOf(definition: Definition, nodeId: string): ConversationNode | null {
  const node = nodesOf(definition).find((each) => ownText(each, 'id') === nodeId);
  const kind = node === undefined ? undefined : own(node, 'type');
  if (node === undefined || !isConversationKind(kind)) return null;
  const data = ownObject(node, 'data');
  const isStart = kind === 'startCall';
  return {
    id: nodeId,
    kind,
    name: text(data, 'name'),
    prompt: text(data, 'prompt'),
    addGlobalPrompt: readBoolean(own(data, 'add_global_prompt')) ?? true,
    allowInterrupt: readBoolean(own(data, 'allow_interrupt')) ?? false,
    greeting: isStart ? greetingOf(data) : null,
    delayedStartMs: isStart ? delayOf(data) : 0,
    extractionPrompt: text(data, 'extraction_prompt'),
    extractionVariables: variablesOf(data),
    toolUuids: texts(data, 'tool_uuids'),
    documentUuids: texts(data, 'document_uuids'),
    preCallFetch: {
      mode: preCallFetchModes.find((mode) => mode === own(data, 'pre_call_fetch_mode')) ?? 'disabled',
      url: ownText(data, 'pre_call_fetch_url') ?? null,
      credentialUuid: ownText(data, 'pre_call_fetch_credential_uuid') ?? null,
    },
  };
}

/** The prompt in front of every node's own, or null (contract 7.4). */
export function globalPrompt(definition: Definition): string | null {
  const node = nodesOf(definition).find((each) => own(each, 'type') === 'globalNode');
  const prompt = node === undefined ? '' : text(ownObject(node, 'data'), 'prompt');
  return prompt.trim() === '' ? null : prompt;
}

/** One edge as it is offered to the model. */
export interface EdgeTool {
  edgeId: string;
  /** At most 64 characters, unique within the node. */
  name: string;
  description: string;
}

/** The edges out of a node, in graph order (contract 2.4). */
export function edgeTools(definition: Definition, nodeId: string): EdgeTool[] {
  if (nodeOf(definition, nodeId)?.kind === 'endCall') return [];
  return conversationEdges(definition)
    .filter((edge) => edge.source === nodeId)
    .map((edge) => ({ edgeId: edge.id, name: edge.functionName, description: edge.condition }));
}

export interface WebhookNode {
  id: string;
  name: string;
  enabled: boolean;
  method: (typeof webhookMethods)[number];
  /** Not a template. Null = the node sends nothing. */
  url: string | null;
  credentialUuid: string | null;
  customHeaders: { key: string; value: string }[];
  /** A template; null = only `call_disposition` is sent. */
  payloadTemplate: JsonObject | null;
}

/** The webhook nodes in graph order (contract 9.1). */
export function webhookNodes(definition: Definition): WebhookNode[] {
  return nodesOf(definition)
    .filter((node) => own(node, 'type') === 'webhook')
    .map((node) => {
      const data = ownObject(node, 'data');
      const url = text(data, 'endpoint_url').trim();
      const payload = own(data, 'payload_template');
      return {
        id: text(node, 'id'),
        name: text(data, 'name'),
        enabled: readBoolean(own(data, 'enabled')) ?? true,
        method: webhookMethods.find((method) => method === own(data, 'http_method')) ?? 'POST',
        url: url === '' ? null : url,
        credentialUuid: ownText(data, 'credential_uuid') ?? null,
        customHeaders: headersOf(data),
        payloadTemplate: isObject(payload) ? payload : null,
      };
    });
}

export type SendableWebhook = WebhookNode & { url: string };

/** The webhooks that a call sends, in graph order: enabled ones with an address (contract 9.1). */
export function sendableWebhooks(definition: Definition): SendableWebhook[] {
  return webhookNodes(definition).filter(
    (node): node is SendableWebhook => node.enabled && node.url !== null && URL.canParse(node.url),
  );
}

function headersOf(data: JsonObject): { key: string; value: string }[] {
  return ownList(data, 'custom_headers')
    .filter(isObject)
    .map((header) => ({ key: text(header, 'key'), value: text(header, 'value') }));
}

function greetingOf(data: JsonObject): ConversationNode['greeting'] {
  if (own(data, 'greeting_type') === 'audio') {
    const recordingId = text(data, 'greeting_recording_id');
    return recordingId === '' ? null : { kind: 'audio', recordingId };
  }
  const greeting = text(data, 'greeting');
  return greeting.trim() === '' ? null : { kind: 'text', text: greeting };
}

function delayOf(data: JsonObject): number {
  if (readBoolean(own(data, 'delayed_start')) !== true) return 0;
  return Math.max(0, readNumber(own(data, 'delayed_start_duration')) ?? 0) * 1000;
}

function text(data: JsonObject, key: string): string {
  return ownText(data, key) ?? '';
}

function texts(data: JsonObject, key: string): string[] {
  return ownList(data, key).filter((item) => typeof item === 'string');
}
