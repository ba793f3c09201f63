import { z } from 'zod';
import { notFound } from './common.ts';
import { record } from './lax/collections.ts';
import { text } from './lax/text.ts';
import { route } from './route.ts';

/**
 * The catalog of node types (contract 14.2). Published Python clients refuse unknown keys, so it has only the
 * keys that all their releases know. Release 0.1.8 does not know `docs_url`, `renderer_options`,
 * `min_instances` and `max_instances`.
 */

/** The type of a field, for editors and SDKs. Published clients know only these. */
export const PropertyType = z
  .enum([
    'string',
    'number',
    'boolean',
    'options',
    'multi_options',
    'fixed_collection',
    'json',
    'tool_refs',
    'document_refs',
    'recording_ref',
    'credential_ref',
    'mention_textarea',
    'url',
  ])
  .meta({ id: 'PropertyType', description: 'Type of a field, for its input and its validation.' });
export type PropertyType = z.infer<typeof PropertyType>;

const Conditions = z.record(z.string(), z.array(z.unknown())).nullable();

const DisplayOptions = z.object({ show: Conditions, hide: Conditions }).meta({
  id: 'DisplayOptions',
  description:
    'Conditions for showing a field. It is shown if every field in `show` has one of its listed values, and hidden if any field in `hide` does.',
});

const PropertyOption = z
  .object({
    value: z.union([z.string(), z.number(), z.boolean()]),
    label: z.string(),
    description: z.string().nullable(),
  })
  .meta({ id: 'PropertyOption', description: 'An allowed value of a field.' });

export const PropertySpec = z
  .object({
    name: z.string(),
    type: PropertyType,
    display_name: z.string(),
    description: z.string().min(1),
    llm_hint: z
      .string()
      .nullable()
      .meta({ description: 'Hint for language models that write graphs. Null if none.' }),
    default: z.unknown().meta({ description: 'Default that builders fill in. Null if none.' }),
    required: z.boolean(),
    placeholder: z.string().nullable(),
    display_options: DisplayOptions.nullable(),
    options: z.array(PropertyOption).nullable(),
    get properties() {
      return z
        .array(PropertySpec)
        .nullable()
        .meta({ description: 'Fields of each row of a `fixed_collection`.' });
    },
    min_value: z.number().nullable(),
    max_value: z.number().nullable(),
    min_length: z.int().nullable(),
    max_length: z.int().nullable(),
    pattern: z.string().nullable(),
    editor: z.string().nullable(),
  })
  .meta({ id: 'PropertySpec', description: "A field of a node's `data`." });
export type PropertySpec = z.infer<typeof PropertySpec>;

const GraphConstraints = z
  .object({
    min_incoming: z.int().nullable(),
    max_incoming: z.int().nullable(),
    min_outgoing: z.int().nullable(),
    max_outgoing: z.int().nullable(),
  })
  .meta({
    id: 'GraphConstraints',
    description: 'Limits for the number of distinct neighbors of a node. Null means no limit.',
  });

export const NodeCategory = z.enum(['call_node', 'global_node', 'trigger', 'integration']);

export const NodeSpec = z
  .object({
    name: z.string().meta({ description: 'Value of `type` of such nodes.' }),
    display_name: z.string(),
    description: z.string().min(1),
    llm_hint: z.string().nullable(),
    category: NodeCategory,
    icon: z.string(),
    version: z.string(),
    properties: z.array(PropertySpec),
    examples: z.array(
      z.object({
        name: z.string(),
        description: z.string().nullable(),
        data: z.record(z.string(), z.unknown()),
      }),
    ),
    graph_constraints: GraphConstraints.nullable(),
  })
  .meta({
    id: 'NodeSpec',
    description: 'A node type: its fields with their defaults, and its place in a graph.',
  });
export type NodeSpec = z.infer<typeof NodeSpec>;

export const NodeTypes = z
  .object({ spec_version: z.string(), node_types: z.array(NodeSpec) })
  .meta({ id: 'NodeTypes', description: 'All node types, sorted by name.' });
export type NodeTypes = z.infer<typeof NodeTypes>;

const tag = 'Node types';

export const listNodeTypes = route({
  method: 'get',
  path: '/node-types',
  id: 'listNodeTypes',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List node types',
  description: 'Returns the catalog of node types with their fields and defaults, for editors and SDKs.',
  answers: { 200: { description: 'The catalog.', schema: NodeTypes } },
});

export const getNodeType = route({
  method: 'get',
  path: '/node-types/{name}',
  id: 'getNodeType',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Get a node type',
  description: 'Returns one entry of the catalog.',
  params: record({ name: text() }),
  answers: {
    200: { description: 'The node type.', schema: NodeSpec },
    404: notFound('No node type has this name.'),
  },
});
