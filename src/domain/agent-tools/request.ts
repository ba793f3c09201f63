import { isSecretHeader } from '../delivery/masking.ts';
import { takesBody } from '../delivery/method.ts';
import { isObject, own, ownObject, ownText, type JsonObject } from '../graph/definition.ts';
import { readBoolean, readNumber } from '../graph/fields.ts';
import { originOf } from '../secrets/addressee.ts';
import { renderJson } from '../rendering/render-json.ts';
import { renderPayload, renderTemplate, type Rendering } from '../rendering/render.ts';
import { renderUrl } from '../rendering/render-url.ts';
import { modelParameters, presetParameters, type Parameter } from './parameters.ts';

export interface ToolRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
  credentialUuid: string | null;
  timeoutMs: number;
  /** Values of the query, or null. */
  params: JsonObject | null;
}

export type BuiltRequest = { kind: 'ready'; request: ToolRequest } | { kind: 'invalid'; error: string };

/** The maximum is short, because a person waits for the answer. */
const maxTimeoutMs = 15_000;
const defaultTimeoutMs = 5000;

interface Building {
  config: JsonObject;
  /** The model's arguments, as `readArguments` returns them. */
  values: JsonObject;
  /** Values of preset parameters by name; a missing one is rendered from its template. */
  presets: JsonObject;
  rendering: Rendering;
}

/**
 * Builds the request of an HTTP tool (contract 7.4, 15.1) from the model's arguments and the preset
 * parameters, which take precedence. They become the query of GET and DELETE, otherwise a JSON body or the
 * values of the body template.
 */
export function buildToolRequest({ config, values, presets, rendering }: Building): BuiltRequest {
  const method = ownText(config, 'method') ?? 'POST';
  const address = renderUrl(ownText(config, 'url') ?? '', rendering);
  if (address.kind === 'invalid') return address;
  // guarantee: value-never-chooses-host-of-secret
  if (hasSecret(config) && originOf(ownText(config, 'url') ?? '') === null)
    return {
      kind: 'invalid',
      error: 'a tool with a credential or a secret header must have the host in its URL, not in a value',
    };
  const resolved = presetValues({ config, presets, rendering });
  if (resolved.kind === 'invalid') return resolved;
  const all = { ...values, ...resolved.values };
  const template = own(config, 'body_template');
  const content = isObject(template)
    ? renderPayload(template, {
        ...rendering,
        variables: { ...rendering.variables, ...resolved.unfilled, ...all },
      })
    : all;
  const hasBody = takesBody(method);
  return {
    kind: 'ready',
    request: {
      method,
      url: hasBody ? address.url : withQuery(address.url, all),
      headers: { ...(hasBody ? { 'Content-Type': 'application/json' } : {}), ...headersOf(config) },
      body: hasBody ? JSON.stringify(content) : null,
      credentialUuid: ownText(config, 'credential_uuid') ?? null,
      timeoutMs: Math.min(readNumber(own(config, 'timeout_ms')) ?? defaultTimeoutMs, maxTimeoutMs),
      params: hasBody ? null : all,
    },
  };
}

/** True if the request carries a credential or a header whose name looks secret. */
function hasSecret(config: JsonObject): boolean {
  return (
    (ownText(config, 'credential_uuid') ?? '') !== '' || Object.keys(headersOf(config)).some(isSecretHeader)
  );
}

function headersOf(config: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(ownObject(config, 'headers')).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
}

function withQuery(address: string, values: JsonObject): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(values)) {
    if (value !== null && value !== undefined)
      url.searchParams.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return url.href;
}

type Presets =
  | {
      kind: 'values';
      values: Record<string, unknown>;
      /** Null for each preset without a value: no value of the call takes its place in a body template. */
      unfilled: Record<string, null>;
    }
  | { kind: 'invalid'; error: string };

function presetValues({ config, presets, rendering }: Omit<Building, 'values'>): Presets {
  const entries: [string, unknown][] = [];
  const unfilled: [string, null][] = [];
  for (const preset of presetParameters(config)) {
    const { name, type, isRequired } = preset;
    if (isGiven(presets, name)) {
      entries.push([name, own(presets, name)]);
      continue;
    }
    const text = presetText(preset, rendering);
    if (text === '' && isRequired)
      return { kind: 'invalid', error: `the preset parameter ${name} has no value` };
    if (text === '') {
      unfilled.push([name, null]);
      continue;
    }
    const value = text === null ? undefined : typed(text, type);
    if (value === undefined)
      return { kind: 'invalid', error: `the preset parameter ${name} does not have its declared type` };
    entries.push([name, value]);
  }
  return {
    kind: 'values',
    values: Object.fromEntries(entries),
    unfilled: Object.fromEntries(unfilled),
  };
}

export interface MissingParameter {
  kind: 'argument' | 'preset';
  name: string;
}

/** Required parameters without a value, in the order of the definition. */
export function missingParameters({ config, values, presets, rendering }: Building): MissingParameter[] {
  return [
    ...modelParameters(config)
      .filter(({ name, isRequired }) => isRequired && !isGiven(values, name))
      .map(({ name }) => ({ kind: 'argument' as const, name })),
    ...presetParameters(config)
      .filter((each) => each.isRequired && !isGiven(presets, each.name) && presetText(each, rendering) === '')
      .map(({ name }) => ({ kind: 'preset' as const, name })),
  ];
}

const isGiven = (values: JsonObject, name: string): boolean => (own(values, name) ?? null) !== null;

/** The rendered value, empty without one; null when the values of the call would not leave it JSON. */
function presetText({ type, declared }: Parameter, rendering: Rendering): string | null {
  const template = ownText(declared, 'value_template') ?? '';
  const isStructure = type === 'object' || type === 'array';
  return isStructure
    ? (renderJson(template, rendering)?.trim() ?? null)
    : renderTemplate(template, rendering).trim();
}

/** Converts a rendered text to a value of the type; undefined when it is not one. */
function typed(text: string, type: string): unknown {
  if (type === 'number') return readNumber(text) ?? undefined;
  if (type === 'boolean') return readBoolean(text) ?? undefined;
  if (type === 'string') return text;
  const value = readJson(text);
  return (type === 'array' ? Array.isArray(value) : isObject(value)) ? value : undefined;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not JSON, so not of the type
  }
}
