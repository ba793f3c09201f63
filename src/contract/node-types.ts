import { z } from 'zod';
import { notFound } from './common.ts';
import { record } from './lax/collections.ts';
import { text } from './lax/text.ts';
import { route } from './route.ts';

/**
 * The catalog of node types (contract 14.2). Published Python clients refuse keys that they do not know, and
 * every release of them knows others: what is here is what all of them know. `docs_url`, `renderer_options`,
 * `min_instances` and `max_instances` are unknown to the release 0.1.8, so they are left out.
 */

/** What an editor draws and an SDK checks. A closed set of published clients. */
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
  .meta({ id: 'PropertyType', description: 'How a field is edited and checked.' });
export type PropertyType = z.infer<typeof PropertyType>;

const Conditions = z.record(z.string(), z.array(z.unknown())).nullable();

const DisplayOptions = z.object({ show: Conditions, hide: Conditions }).meta({
  id: 'DisplayOptions',
  description: 'Shown when every field of `show` has one of its values; hidden when one of `hide` has.',
});

const PropertyOption = z
  .object({
    value: z.union([z.string(), z.number(), z.boolean()]),
    label: z.string(),
    description: z.string().nullable(),
  })
  .meta({ id: 'PropertyOption', description: 'One of the values of a field.' });

export const PropertySpec = z
  .object({
    name: z.string(),
    type: PropertyType,
    display_name: z.string(),
    description: z.string().min(1),
    llm_hint: z.string().nullable().meta({ description: 'For language models that write graphs.' }),
    default: z.unknown().meta({ description: 'What builders fill in; null = nothing.' }),
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
  .meta({ id: 'PropertySpec', description: "One field of a node's data." });
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
    description: 'How many distinct neighbors a node may have; null = no limit.',
  });

export const NodeCategory = z.enum(['call_node', 'global_node', 'trigger', 'integration']);

export const NodeSpec = z
  .object({
    name: z.string().meta({ description: 'The `type` of such nodes.' }),
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
    description: 'One type of node: its fields, with what builders fill in, and its place in a graph.',
  });
export type NodeSpec = z.infer<typeof NodeSpec>;

export const NodeTypes = z
  .object({ spec_version: z.string(), node_types: z.array(NodeSpec) })
  .meta({ id: 'NodeTypes', description: 'Every type of node, by name.' });
export type NodeTypes = z.infer<typeof NodeTypes>;

const tag = 'Node types';

export const listNodeTypes = route({
  method: 'get',
  path: '/node-types',
  id: 'listNodeTypes',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List the types of node',
  description: 'What builders of graphs check against and fill in.',
  answers: { 200: { description: 'Every type, sorted by name.', schema: NodeTypes } },
});

export const getNodeType = route({
  method: 'get',
  path: '/node-types/{name}',
  id: 'getNodeType',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Read one type of node',
  description: 'The same entry as in the list.',
  params: record({ name: text() }),
  answers: {
    200: { description: 'The type.', schema: NodeSpec },
    404: notFound('No type of node has this name.'),
  },
});
