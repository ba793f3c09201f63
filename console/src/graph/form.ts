import type { NodeSpec, PropertySpec } from '../../../src/contract/node-types.ts';
import type { JsonObject } from '../../../src/domain/graph/definition.ts';

/** How a field is edited. */
export type Control =
  | 'text'
  | 'area'
  | 'prompt'
  | 'switch'
  | 'number'
  | 'choice'
  | 'choices'
  | 'rows'
  | 'json'
  | 'url'
  | 'tools'
  | 'documents'
  | 'recording'
  | 'credential';

const controls: Readonly<Record<PropertySpec['type'], Control>> = {
  string: 'text',
  number: 'number',
  boolean: 'switch',
  options: 'choice',
  multi_options: 'choices',
  fixed_collection: 'rows',
  json: 'json',
  tool_refs: 'tools',
  document_refs: 'documents',
  recording_ref: 'recording',
  credential_ref: 'credential',
  mention_textarea: 'prompt',
  url: 'url',
};

/** Every property type has a control; one of a newer server is edited as JSON. */
export function controlOf({ type, editor }: { type: string; editor: string | null }): Control {
  if (type === 'string' && editor === 'textarea') return 'area';
  const known: Readonly<Record<string, Control | undefined>> = controls;
  return known[type] ?? 'json';
}

/** Texts in which a call fills in variables. */
export const isTemplate = ({ type, description }: PropertySpec): boolean =>
  type === 'mention_textarea' || (type === 'string' && description.includes('{{'));

export type FormTab = 'prompt' | 'extraction' | 'tools' | 'advanced';

/** The tabs of a node's form with their fields. A field that no rule places is in the first tab. */
export function tabsOf({ category, properties }: Pick<NodeSpec, 'category' | 'properties'>): {
  id: FormTab;
  fields: PropertySpec[];
}[] {
  const order: readonly FormTab[] = ['prompt', 'extraction', 'tools', 'advanced'];
  const tabs = Map.groupBy(
    properties.filter(({ name, display_options: options }) => name !== 'name' && !isNever(options)),
    (property) => (category === 'call_node' ? tabOf(property) : 'prompt'),
  );
  return order.flatMap((id) => {
    const fields = tabs.get(id);
    return fields === undefined ? [] : [{ id, fields }];
  });
}

function tabOf({ name, type }: PropertySpec): FormTab {
  if (type === 'tool_refs' || type === 'document_refs') return 'tools';
  if (name.startsWith('extraction_')) return 'extraction';
  return /^(delayed_|pre_call_)/.test(name) ? 'advanced' : 'prompt';
}

/** A condition without values is never met: the field is for older clients. */
const isNever = (options: PropertySpec['display_options']): boolean =>
  Object.values(options?.show ?? {}).some((values) => values.length === 0);

/** Whether the node's data asks for the field: shown if every condition holds, hidden if one does. */
export function isShown(property: PropertySpec, all: readonly PropertySpec[], data: JsonObject): boolean {
  const holds = ([name, values]: [string, unknown[]]): boolean => {
    const value = data[name] ?? all.find((each) => each.name === name)?.default ?? null;
    return values.includes(value);
  };
  const { show, hide } = property.display_options ?? { show: null, hide: null };
  return Object.entries(show ?? {}).every(holds) && !Object.entries(hide ?? {}).some(holds);
}

/** Why a value is refused. The form says it in words. */
export type FieldProblem =
  | { code: 'required' }
  | { code: 'min' | 'max' | 'minLength' | 'maxLength'; limit: number }
  | { code: 'pattern' };

export function fieldProblem(property: PropertySpec, value: unknown): FieldProblem | null {
  const isEmpty = value === undefined || value === null || value === '';
  if (isEmpty) return property.required ? { code: 'required' } : null;
  const { min_value: min, max_value: max, min_length: minLength, max_length: maxLength, pattern } = property;
  if (typeof value === 'number') {
    if (min !== null && value < min) return { code: 'min', limit: min };
    if (max !== null && value > max) return { code: 'max', limit: max };
  }
  if (typeof value === 'string') {
    if (minLength !== null && value.length < minLength) return { code: 'minLength', limit: minLength };
    if (maxLength !== null && value.length > maxLength) return { code: 'maxLength', limit: maxLength };
    if (pattern !== null && !new RegExp(pattern).test(value)) return { code: 'pattern' };
  }
  return null;
}
