import type { NodeSpec, NodeTypes, PropertySpec, PropertyType } from '../../../contract/node-types.ts';
import type { Field, Fields } from '../fields.ts';
import { isNodeKind, kindSpec, type NodeKind, type NodeKindSpec } from '../node-kinds.ts';
import { globalNodeTexts, qaTexts, triggerTexts, webhookTexts } from './beside.ts';
import { agentNodeTexts, endCallTexts, startCallTexts } from './conversation.ts';
import { noveumTexts, paygentTexts, tunerTexts } from './exports.ts';
import type { KindTexts, PropertyText } from './texts.ts';

/**
 * The catalog of node types (contract 14.2): texts and initial values from the other files of this folder,
 * everything else from the fields and degrees that validate graphs.
 */
const texts = {
  agentNode: agentNodeTexts,
  endCall: endCallTexts,
  globalNode: globalNodeTexts,
  noveum: noveumTexts,
  paygent: paygentTexts,
  qa: qaTexts,
  startCall: startCallTexts,
  trigger: triggerTexts,
  tuner: tunerTexts,
  webhook: webhookTexts,
} satisfies { [Kind in NodeKind]: KindTexts<Kind> };

/** How a field is edited unless its text says otherwise. */
const propertyTypes = {
  any: 'string',
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  choice: 'options',
  strings: 'multi_options',
  records: 'fixed_collection',
  object: 'json',
  string_lists: 'json',
} satisfies Record<Field['type'], PropertyType>;

type AnyTexts = Omit<KindTexts<NodeKind>, 'properties'> & {
  properties: Readonly<Record<string, PropertyText>>;
};

const specs = new Map(
  Object.keys(texts)
    .filter(isNodeKind)
    .toSorted()
    .map((kind) => [kind, toNodeSpec(kind, kindSpec(kind), texts[kind])] as const),
);

/** Every type of node, sorted by name. */
export function nodeTypes(): NodeTypes {
  return { spec_version: '1.0.0', node_types: [...specs.values()] };
}

/** One type of node, or null. */
export function findNodeType(name: string): NodeSpec | null {
  return isNodeKind(name) ? (specs.get(name) ?? null) : null;
}

function toNodeSpec(
  kind: NodeKind,
  { label, category, incoming, outgoing, fields }: NodeKindSpec,
  { description, hint, icon, properties, examples }: AnyTexts,
): NodeSpec {
  return {
    name: kind,
    display_name: label,
    description,
    llm_hint: hint,
    category,
    icon,
    version: '1.0.0',
    properties: toProperties(properties, fields),
    examples: examples.map((example) => ({ ...example, data: { ...example.data } })),
    graph_constraints: {
      min_incoming: incoming.min,
      max_incoming: incoming.max,
      min_outgoing: outgoing.min,
      max_outgoing: outgoing.max,
    },
  };
}

function toProperties(properties: Readonly<Record<string, PropertyText>>, fields: Fields): PropertySpec[] {
  return Object.entries(properties).flatMap(([name, text]) => {
    const field = fields[name];
    return field === undefined ? [] : [toProperty(name, field, text)];
  });
}

function toProperty(name: string, field: Field, text: PropertyText): PropertySpec {
  return {
    name,
    type: text.type ?? propertyTypes[field.type],
    display_name: text.displayName,
    description: text.description,
    llm_hint: text.hint ?? null,
    default: text.default ?? null,
    required: text.required ?? field.required ?? false,
    placeholder: text.placeholder ?? null,
    display_options:
      text.show === undefined
        ? null
        : {
            show: Object.fromEntries(Object.entries(text.show).map(([key, values]) => [key, [...values]])),
            hide: null,
          },
    options:
      field.options?.map((value) => ({ value, label: text.labels?.[value] ?? value, description: null })) ??
      null,
    // guarantee: published-clients-work
    properties: field.item === undefined ? null : toProperties(text.item ?? {}, field.item),
    min_value: text.minValue ?? field.min ?? null,
    max_value: text.maxValue ?? field.max ?? null,
    min_length: text.minLength ?? field.minLength ?? null,
    max_length: text.maxLength ?? null,
    pattern: text.pattern ?? null,
    editor: text.editor ?? null,
  };
}
