import { takesBody } from '../delivery/method.ts';
import { isObject, own, ownList, ownObject, ownText, type JsonObject } from '../graph/definition.ts';
import { readBoolean, readNumber } from '../graph/fields.ts';
import { renderPayload, renderTemplate, type Rendering } from '../template/render.ts';
import { renderUrl } from '../template/render-url.ts';

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
  /** The model's arguments. */
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
  const resolved = presetValues({ config, presets, rendering });
  if (resolved.kind === 'invalid') return resolved;
  const all = { ...values, ...resolved.values };
  const template = own(config, 'body_template');
  const content = isObject(template)
    ? renderPayload(template, { ...rendering, variables: { ...rendering.variables, ...all } })
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

type Presets = { kind: 'values'; values: Record<string, unknown> } | { kind: 'invalid'; error: string };

function presetValues({ config, presets, rendering }: Omit<Building, 'values'>): Presets {
  const entries: [string, unknown][] = [];
  for (const preset of ownList(config, 'preset_parameters').filter(isObject)) {
    const name = nameOf(preset);
    if (isGiven(presets, name)) {
      entries.push([name, own(presets, name)]);
      continue;
    }
    const text = presetText(preset, rendering);
    if (text === '' && isRequired(preset))
      return { kind: 'invalid', error: `the preset parameter ${name} has no value` };
    if (name === '' || text === '') continue;
    const value = typed(text, ownText(preset, 'type') ?? 'string');
    if (value === undefined)
      return { kind: 'invalid', error: `the preset parameter ${name} does not have its declared type` };
    entries.push([name, value]);
  }
  return { kind: 'values', values: Object.fromEntries(entries) };
}

export interface MissingParameter {
  kind: 'argument' | 'preset';
  name: string;
}

/** Required parameters without a value, in the order of the definition. */
export function missingParameters({ config, values, presets, rendering }: Building): MissingParameter[] {
  const required = (key: string) =>
    ownList(config, key)
      .filter(isObject)
      .filter((each) => nameOf(each) !== '' && isRequired(each));
  return [
    ...required('parameters')
      .filter((each) => !isGiven(values, nameOf(each)))
      .map((each) => ({ kind: 'argument' as const, name: nameOf(each) })),
    ...required('preset_parameters')
      .filter((each) => !isGiven(presets, nameOf(each)) && presetText(each, rendering) === '')
      .map((each) => ({ kind: 'preset' as const, name: nameOf(each) })),
  ];
}

const nameOf = (parameter: JsonObject): string => (ownText(parameter, 'name') ?? '').trim();
const isRequired = (parameter: JsonObject): boolean => own(parameter, 'required') !== false;
const isGiven = (values: JsonObject, name: string): boolean => (own(values, name) ?? null) !== null;
const presetText = (preset: JsonObject, rendering: Rendering): string =>
  renderTemplate(ownText(preset, 'value_template') ?? '', rendering).trim();

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
