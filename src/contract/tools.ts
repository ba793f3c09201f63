import { z } from 'zod';
import { AnyObject, DateTime, ErrorBody, IdempotencyHeaders, notFound } from './common.ts';
import { destinationPattern } from './data/destination-patterns.ts';
import { dictionary, freeForm, list, record } from './lax/collections.ts';
import { lax, raiseAsGiven, read, refuse } from './lax/fault.ts';
import { boolean, integer } from './lax/number.ts';
import { tagged } from './lax/tagged.ts';
import { literal, text } from './lax/text.ts';
import { withoutNumbers } from './personal.ts';
import { route } from './route.ts';

const toolTypes = ['http_api', 'end_call', 'transfer_call', 'calculator', 'mcp', 'native'] as const;
export const toolStates = ['active', 'archived', 'draft'] as const;
const toolMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export const categories = [
  'http_api',
  'end_call',
  'transfer_call',
  'calculator',
  'native',
  'integration',
  'mcp',
] as const;

const optional = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().default(null);
const valueType = () => literal('string', 'number', 'boolean', 'object', 'array');

/** An argument that the model fills in. */
const ToolParameter = record({
  name: text(),
  type: valueType(),
  description: text(),
  required: boolean().default(true),
});

/** An argument that the service fills in. `value_template` is rendered for each request (contract 7.4). */
const PresetParameter = record({
  name: text(),
  type: valueType(),
  value_template: text(),
  required: boolean().default(true),
});

const method = lax((value) => {
  const upper = typeof value === 'string' ? value.toUpperCase() : null;
  const known = toolMethods.find((each) => each === upper);
  return known === undefined
    ? refuse('value_error', `Value error, method must be one of ${toolMethods.join(', ')}`, value, {
        error: {},
      })
    : read(known);
}, z.enum(toolMethods));

/** Maxima of `allowed_destinations`. */
const maxDestinations = 100;
const maxDestinationLength = 255;

const messageType = () => literal('none', 'custom', 'audio').default('none');

const HttpApiConfig = record({
  method,
  url: text().meta({
    description:
      'URL of the request. A template; inserted values are percent-encoded and cannot change the scheme.',
  }),
  headers: optional(dictionary(text())),
  credential_uuid: optional(text()),
  parameters: optional(list(ToolParameter)),
  preset_parameters: optional(list(PresetParameter)),
  timeout_ms: integer({ ge: 1 }).nullable().default(5000),
  customMessage: optional(text()),
  customMessageType: optional(literal('text', 'audio')),
  customMessageRecordingId: optional(text()),
  body_template: optional(freeForm()),
});

const EndCallConfig = record({
  messageType: messageType(),
  customMessage: optional(text()),
  audioRecordingId: optional(text()),
  endCallReason: boolean().default(false),
  endCallReasonDescription: optional(text()),
});

const allowedDestination = lax((value) => {
  const entry = typeof value === 'string' ? value.trim() : '';
  return entry.length <= maxDestinationLength && destinationPattern.test(entry)
    ? read(entry)
    : refuse('value_error', `Value error, ${destinationRule}`, value, { error: {} });
}, z.string());
const destinationRule =
  'an allowed destination is a number with + (+493012345), the beginning of numbers (+4930*), or a SIP address with its host written out (sip:*@pbx.example.com)';

const TransferCallConfig = record({
  destination_source: literal('static', 'dynamic', 'context_mapping').default('static'),
  destination: text().default(''),
  allowed_destinations: list(allowedDestination, { max: maxDestinations }).nullish(),
  messageType: messageType(),
  customMessage: optional(text()),
  audioRecordingId: optional(text()),
  timeout: integer({ ge: 5, le: 120 }).default(30),
  parameters: optional(list(ToolParameter)),
  resolver: optional(
    record({
      type: literal('http').default('http'),
      url: text(),
      headers: optional(dictionary(text())),
      credential_uuid: optional(text()),
      timeout_ms: integer({ ge: 500, le: 5000 }).default(3000),
      wait_message: optional(text()),
      parameters: optional(list(ToolParameter)),
      preset_parameters: optional(list(PresetParameter)),
    }),
  ),
  context_mapping: optional(
    record({
      rules: list(
        record({
          context_path: text(),
          routes: list(record({ context_value: text(), destination: text() })),
        }),
      ),
      fallback_destination: optional(text()),
    }),
  ),
});

const McpConfig = record({
  transport: literal('streamable_http').default('streamable_http'),
  url: text(),
  credential_uuid: optional(text()),
  tools_filter: list(text()).default([]),
  timeout_secs: integer({ ge: 0 }).default(30),
  sse_read_timeout_secs: integer({ ge: 0 }).default(300),
  discovered_tools: list(freeForm()).default([]),
});

const nativeActions = ['do_not_call', 'wrong_number'] as const;

/** An addition to the interface, under a category that published clients know. */
const NativeConfig = record({
  action: literal(...nativeActions).meta({
    description:
      '`do_not_call` if the person opts out, `wrong_number` if the number belongs to someone else. Both suppress the number of the call at once.',
  }),
});

/** The definition of a tool, by `type` (contract 15.1, 12.7). */
export const ToolDefinition = tagged(
  'type',
  toolTypes,
  [
    record({ type: literal('http_api'), config: HttpApiConfig }),
    record({ type: literal('end_call'), config: EndCallConfig }),
    record({ type: literal('transfer_call'), config: TransferCallConfig }),
    record({ type: literal('calculator') }),
    record({ type: literal('mcp'), config: McpConfig }),
    record({ type: literal('native'), config: NativeConfig }),
  ],
  ['native'],
).meta({ id: 'ToolDefinition', description: 'Definition of a tool. `config` depends on `type`.' });
export type ToolDefinition = z.output<typeof ToolDefinition>;

/** Contract 15.1. */
export const CreateToolRequest = record({
  name: text({ max: 255 }),
  description: optional(text()),
  category: optional(literal(...categories)).meta({
    description: 'Must be the type of the definition. If absent, it is set.',
  }),
  icon: text().default('globe'),
  icon_color: text().default('#3B82F6'),
  definition: ToolDefinition,
})
  .superRefine(({ category, definition }, ctx) => {
    if (category !== null && category !== definition.type)
      raiseAsGiven(ctx, {
        type: 'value_error',
        msg: 'Value error, category must be the type of the definition',
        ctx: { error: {} },
      });
  })
  .meta({ id: 'CreateToolRequest', description: 'A new tool.' });
export type CreateToolRequest = z.output<typeof CreateToolRequest>;

/** Contract 15.1: absent and null both mean unchanged. */
export const UpdateToolRequest = record({
  name: optional(text({ max: 255 })),
  description: optional(text()),
  icon: optional(text()),
  icon_color: optional(text()),
  definition: optional(ToolDefinition),
  status: optional(literal(...toolStates)),
}).meta({ id: 'UpdateToolRequest', description: 'Fields to change. Absent or null means unchanged.' });
export type UpdateToolRequest = z.output<typeof UpdateToolRequest>;

/** Contract 15.1. */
export const Tool = z
  .object({
    id: z.int(),
    tool_uuid: z.string(),
    name: z.string(),
    description: withoutNumbers(z.string().nullable()),
    category: z.enum(categories),
    icon: z.string(),
    icon_color: z.string(),
    status: z.enum(toolStates),
    definition: withoutNumbers(AnyObject).meta({
      description:
        'Definition with `schema_version` 1. Values of headers that look secret are masked. A masked value that is sent back keeps the stored one.',
    }),
    created_at: DateTime,
    updated_at: DateTime.nullable(),
    created_by: z.object({ id: z.int(), provider_id: z.string() }).nullable(),
  })
  .meta({ id: 'Tool', description: 'A tool: something that an agent can do during a conversation.' });
export type Tool = z.infer<typeof Tool>;

/** An addition to the published interface. */
export const UsedTool = Tool.extend({
  used_by: z.array(
    z.object({
      workflow_id: z.int(),
      workflow_name: z.string(),
      node_id: z.string(),
      node_name: z.string().nullable(),
    }),
  ),
}).meta({ id: 'UsedTool', description: 'A tool, and the nodes that offer it.' });
export type UsedTool = z.infer<typeof UsedTool>;

export const ListedTool = Tool.extend({
  used_by: UsedTool.shape.used_by
    .optional()
    .meta({ description: 'The nodes that offer the tool. Only with `with_uses`.' }),
}).meta({ id: 'ListedTool', description: 'A tool of a list.' });
export type ListedTool = z.infer<typeof ListedTool>;

export const ArchivedTool = z
  .object({ status: z.literal('archived'), tool_uuid: z.string() })
  .meta({ id: 'ArchivedTool', description: 'Confirmation. An archived tool is not offered to calls.' });
export type ArchivedTool = z.infer<typeof ArchivedTool>;

/** Contract 15.1. */
export const TestToolRequest = record({
  llm_params: freeForm().default({}).meta({ description: 'Arguments that the model would give.' }),
  preset_params: freeForm().default({}).meta({
    description:
      "Values of preset parameters. Absent ones are rendered from their templates. Other names are used as values of the call in the tool's templates.",
  }),
}).meta({ id: 'TestToolRequest', description: 'Values for a test request of a tool.' });

/** Contract 15.1. */
export const ToolTest = z
  .object({
    status: z.enum(['success', 'error']).meta({
      description:
        'Result of the request. A 2xx response is also an `error` if it is not JSON, or too long for the model.',
    }),
    status_code: z.int().nullable().meta({ description: 'HTTP status. Null if there was no response.' }),
    data: z.unknown().meta({ description: 'Response as the model would receive it.' }),
    error: z.string().nullable(),
    hint: z.string().nullable().meta({ description: 'How to correct the tool. Null if nothing is wrong.' }),
    request_method: z.string(),
    request_url: z.string(),
    request_headers: z.record(z.string(), z.string()).meta({
      description:
        'Headers of the request. The header of the credential and others that look secret are masked.',
    }),
    request_body: AnyObject.nullable().meta({
      description: 'JSON body of the request. Null for GET and DELETE.',
    }),
    request_params: AnyObject.nullable().meta({
      description: 'Query of the request, for GET and DELETE. Otherwise null.',
    }),
    duration_ms: z.int(),
  })
  .meta({ id: 'ToolTest', description: 'A test request of a tool, and its response.' });
export type ToolTest = z.infer<typeof ToolTest>;

const tag = 'Tools';
const ToolPath = record({ tool_uuid: text() });
const unknown = notFound("No such tool in the caller's organization, or its credential does not exist.");

export const listTools = route({
  method: 'get',
  path: '/tools/',
  id: 'listTools',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List tools',
  description: 'Returns tools, newest first.',
  query: record({
    status: text().optional().meta({
      description:
        '`active`, `archived`, `draft`, or several separated by commas. Absent means all except archived ones.',
    }),
    category: text().optional(),
    with_uses: boolean()
      .optional()
      .meta({ description: 'Whether each tool has the nodes that offer it.', override: { default: false } }),
  }),
  answers: {
    200: { description: 'The tools.', schema: z.array(ListedTool) },
    400: { description: 'Unknown status.', schema: ErrorBody },
  },
});

export const createTool = route({
  method: 'post',
  path: '/tools/',
  id: 'createTool',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Create a tool',
  description: 'A node offers a tool to the model if its `tool_uuids` has the uuid of the tool.',
  headers: IdempotencyHeaders,
  body: CreateToolRequest,
  answers: {
    200: { description: 'The tool.', schema: Tool },
    404: notFound('The credential does not exist.'),
  },
});

export const getTool = route({
  method: 'get',
  path: '/tools/{tool_uuid}',
  id: 'getTool',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Get a tool',
  description: 'Returns the tool, even if it is archived.',
  params: ToolPath,
  answers: { 200: { description: 'The tool.', schema: UsedTool }, 404: unknown },
});

export const updateTool = route({
  method: 'put',
  path: '/tools/{tool_uuid}',
  id: 'updateTool',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Update a tool',
  description:
    'Live calls use the new definition from their next use of the tool on. The type of the definition cannot change.',
  params: ToolPath,
  body: UpdateToolRequest,
  answers: { 200: { description: 'The updated tool.', schema: Tool }, 404: unknown },
});

export const archiveTool = route({
  method: 'delete',
  path: '/tools/{tool_uuid}',
  id: 'archiveTool',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Archive a tool',
  description: 'An archived tool is no longer offered to calls. Graphs that name it stay valid.',
  params: ToolPath,
  answers: { 200: { description: 'Confirmation.', schema: ArchivedTool }, 404: unknown },
});

export const unarchiveTool = route({
  method: 'post',
  path: '/tools/{tool_uuid}/unarchive',
  id: 'unarchiveTool',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Unarchive a tool',
  description: 'The tool is active again.',
  params: ToolPath,
  headers: IdempotencyHeaders,
  answers: { 200: { description: 'The tool.', schema: Tool }, 404: unknown },
});

export const testTool = route({
  method: 'post',
  path: '/tools/{tool_uuid}/test',
  id: 'testTool',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Test an HTTP tool',
  description:
    'Sends one request of the tool, outside of any call. The response is 200 whatever the endpoint does, and has a hint on failures. `Idempotency-Key` is ignored, so each request sends one.',
  params: ToolPath,
  body: TestToolRequest,
  answers: {
    200: { description: 'The request and its response.', schema: ToolTest },
    400: { description: 'The tool is not of type `http_api`.', schema: ErrorBody },
    404: notFound("No such tool in the caller's organization."),
  },
});
