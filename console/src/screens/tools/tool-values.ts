import { parseTemplate } from '../../../../src/domain/template/parse.ts';
import { readTimeName } from '../../../../src/domain/template/time.ts';
import {
  entriesOf,
  objectOf,
  type Row,
  rowsOf,
  type Value,
  type Values,
  wordsOf,
} from '../../parts/form-values.ts';

/** Types of tools that can be made here. */
export const toolTypes = ['http_api', 'transfer_call', 'end_call', 'calculator', 'native'] as const;

type Json = Record<string, unknown>;

const textIn = (config: Json, name: string): string => {
  const value = config[name];
  return typeof value === 'string' ? value : '';
};
const jsonIn = (config: Json, name: string): string =>
  config[name] == null ? '' : JSON.stringify(config[name], null, 2);
const rowsIn = (config: Json, name: string): readonly Row[] =>
  Array.isArray(config[name]) ? (config[name] as Row[]) : [];

/** The values of the form of a tool. `definition` is the stored one; null for a new tool. */
export function valuesOfTool(
  tool: { name: string; description: string | null } | null,
  definition: Json | null,
): Values {
  const config = (definition?.['config'] ?? {}) as Json;
  const has = (name: string) => config[name] !== undefined && config[name] !== null;
  return {
    name: tool?.name ?? '',
    description: tool?.description ?? '',
    type: typeof definition?.['type'] === 'string' ? definition['type'] : 'http_api',
    method: textIn(config, 'method') || 'POST',
    url: textIn(config, 'url'),
    headers: Object.entries((config['headers'] ?? {}) as Record<string, string>).map(([name, value]) => ({
      name,
      value,
    })),
    credential_uuid: textIn(config, 'credential_uuid') || 'none',
    parameters: rowsIn(config, 'parameters'),
    preset_parameters: rowsIn(config, 'preset_parameters'),
    timeout_ms: has('timeout_ms') ? Number(config['timeout_ms']) : 5000,
    body_template: jsonIn(config, 'body_template'),
    messageType: textIn(config, 'messageType') || 'none',
    customMessage: textIn(config, 'customMessage'),
    endCallReason: config['endCallReason'] === true,
    endCallReasonDescription: textIn(config, 'endCallReasonDescription'),
    destination_source: textIn(config, 'destination_source') || 'static',
    destination: textIn(config, 'destination'),
    allowed_destinations: Array.isArray(config['allowed_destinations'])
      ? (config['allowed_destinations'] as string[])
      : [],
    timeout: has('timeout') ? Number(config['timeout']) : 30,
    resolver: jsonIn(config, 'resolver'),
    context_mapping: jsonIn(config, 'context_mapping'),
    action: textIn(config, 'action') || 'do_not_call',
  };
}

const orNull = (words: string): string | null => (words.trim() === '' ? null : words);
const named = (rows: readonly Row[]): readonly Row[] => rows.filter(({ name }) => name !== '');

/** The definition of the values. What the form does not show stays as it is stored. */
export function definitionOf(values: Values, stored: Json | null): Json {
  const type = wordsOf(values, 'type');
  if (type === 'calculator') return { type };
  const before = (stored?.['config'] ?? {}) as Json;
  return { type, config: { ...before, ...configOf(type, values) } };
}

function configOf(type: string, values: Values): Json {
  const words = (name: string) => wordsOf(values, name);
  const message = { messageType: words('messageType'), customMessage: orNull(words('customMessage')) };
  switch (type) {
    case 'http_api': {
      const headers = named(rowsOf(values, 'headers'));
      const credential = words('credential_uuid');
      return {
        method: words('method'),
        url: words('url').trim(),
        headers:
          headers.length === 0 ? null : Object.fromEntries(headers.map(({ name, value }) => [name, value])),
        credential_uuid: credential === 'none' ? null : credential,
        parameters: named(rowsOf(values, 'parameters')),
        preset_parameters: named(rowsOf(values, 'preset_parameters')),
        timeout_ms: values['timeout_ms'] ?? 5000,
        customMessage: orNull(words('customMessage')),
        body_template: objectOf(values, 'body_template'),
      };
    }
    case 'end_call':
      return {
        ...message,
        endCallReason: values['endCallReason'] === true,
        endCallReasonDescription: orNull(words('endCallReasonDescription')),
      };
    case 'transfer_call': {
      const source = words('destination_source');
      const allowed = entriesOf(values, 'allowed_destinations')
        .map((each) => each.trim())
        .filter(Boolean);
      return {
        ...message,
        destination_source: source,
        destination: words('destination').trim(),
        allowed_destinations: allowed.length === 0 ? null : allowed,
        timeout: values['timeout'] ?? 30,
        parameters: named(rowsOf(values, 'parameters')),
        resolver: source === 'dynamic' ? objectOf(values, 'resolver') : null,
        context_mapping: source === 'context_mapping' ? objectOf(values, 'context_mapping') : null,
      };
    }
    case 'native':
      return { action: words('action') };
    default:
      return {};
  }
}

/** An argument that the model gives. */
export interface Parameter {
  name: string;
  type: string;
  description: string;
  required: boolean;
}

/** The arguments that the model would give, of the values of a form: each of its type. */
export const argumentsOf = (parameters: readonly Parameter[], values: Values): Json =>
  givenOf(parameters, values, 'arg');

/** A value that the service fills in. */
export interface Preset {
  name: string;
  type: string;
  value_template: string;
}

/** What a preset of true or false has if its template decides. */
export const byTemplate = 'template';

/** The preset values and values of a call that a form gives; what is empty is left to its template. */
export const presetsOf = (
  presets: readonly Preset[],
  callValues: readonly string[],
  values: Values,
): Json => ({
  ...givenOf(
    callValues.map((name) => ({ name, type: 'string' })),
    values,
    'call',
  ),
  ...givenOf(presets, values, 'preset'),
});

function givenOf(all: readonly { name: string; type: string }[], values: Values, kind: string): Json {
  return Object.fromEntries(
    all.flatMap(({ name, type }): [string, unknown][] => {
      const value: Value | undefined = values[`${kind}.${name}`];
      if (type === 'object' || type === 'array') {
        const parsed = objectOf(values, `${kind}.${name}`);
        return parsed === null ? [] : [[name, parsed]];
      }
      if (value === undefined || value === null || value === '') return [];
      if (type !== 'boolean' || typeof value === 'boolean') return [[name, value]];
      return value === byTemplate ? [] : [[name, value === 'true']];
    }),
  );
}

/** The arguments and preset values of a stored tool. */
export const inputsOf = (config: Json): { parameters: readonly Parameter[]; presets: readonly Preset[] } => ({
  parameters: Array.isArray(config['parameters']) ? (config['parameters'] as Parameter[]) : [],
  presets: Array.isArray(config['preset_parameters']) ? (config['preset_parameters'] as Preset[]) : [],
});

/** The values of a call that the templates of a tool name, each once. */
export function callValuesOf(config: Json): string[] {
  const { parameters, presets } = inputsOf(config);
  const own = new Set([...parameters, ...presets].map(({ name }) => name));
  const ofCall = [textIn(config, 'url'), ...presets.map(({ value_template: template }) => template)];
  // A body has arguments and preset values, too.
  const ofBody = namesIn(textsIn(config['body_template'])).filter((name) => !own.has(name));
  return [...new Set([...namesIn(ofCall), ...ofBody])];
}

const namesIn = (templates: readonly string[]): string[] =>
  templates
    .flatMap((template) => parseTemplate(template))
    .flatMap((part) =>
      part.kind === 'placeholder' ? [part.name.replace(/^(initial|gathered)_context\./, '')] : [],
    )
    .map((name) => name.split('.', 1)[0] ?? name)
    .filter((name) => readTimeName(name) === null);

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
