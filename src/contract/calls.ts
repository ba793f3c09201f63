import { z } from 'zod';
import {
  AnyObject,
  DateTime,
  ErrorBody,
  FieldOrGraphError,
  IdempotencyHeaders,
  limitRule,
  notFound,
  PathInteger,
} from './common.ts';
import { record } from './lax/collections.ts';
import { boolean, integer } from './lax/number.ts';
import { literal, text } from './lax/text.ts';
import { route } from './route.ts';
import { callFilters } from './usage.ts';

const link = z.string().nullable();

/**
 * The call (contract 6.1, wire name run). `is_completed` is the published progress flag; `state` says more.
 */
export const WorkflowRun = z
  .object({
    id: z.int(),
    workflow_id: z.int(),
    campaign_id: z.int().nullable(),
    name: z.string(),
    mode: z.string(),
    created_at: DateTime,
    is_completed: z.boolean(),
    state: z.enum(['initialized', 'running', 'completed']),
    transcript_url: link.meta({ description: 'Storage key, not a link.' }),
    recording_url: link.meta({ description: 'Storage key, not a link.' }),
    user_recording_url: link,
    bot_recording_url: link,
    transcript_public_url: link,
    recording_public_url: link,
    user_recording_public_url: link,
    bot_recording_public_url: link,
    public_access_token: z.string().nullable(),
    cost_info: AnyObject.nullable(),
    usage_info: AnyObject.nullable(),
    definition_id: z.int().nullable().meta({ description: 'The version the call is pinned to.' }),
    initial_context: AnyObject.nullable(),
    gathered_context: AnyObject.nullable(),
    call_type: z.enum(['inbound', 'outbound']),
    logs: AnyObject.nullable(),
    annotations: AnyObject.nullable().meta({
      description:
        "What was found about the call. `qa_<node id>` for each QA node: `{node_results, score, tags, model, token_usage}`, `{skipped: true, reason}`, or `{error}` beside what was judged until then. `node_results` by node id: `{node_name, score (1-10 or null), overall_sentiment, summary, tags, answer}`, `answer` being the model's JSON. `tags` is the sorted union of all tags. `simulated: true` marks a stand-in's judgment.",
    }),
    caller_number: z.string().nullable(),
    called_number: z.string().nullable(),
    phone_number: z.string().nullable(),
    disposition: z.string().nullable(),
    call_duration_seconds: z.int().nullable(),
    call_id: z.string().meta({ description: "The call's uuid." }),
    temporal_workflow_id: z.string().meta({ description: 'Workflow Id of the call in Temporal.' }),
    transcript_erased_at: DateTime.nullable().meta({
      description: 'When what was said was erased, by retention or for a person.',
    }),
    variables_erased_at: DateTime.nullable().meta({
      description: 'When the values were erased: contexts and annotations are null from then on.',
    }),
  })
  .meta({ id: 'WorkflowRun', description: 'One conversation of an agent.' });
export type WorkflowRun = z.infer<typeof WorkflowRun>;

/** Contract 6.3, without the historic ones. */
export const runModes = [
  'telnyx',
  'twilio',
  'plivo',
  'vonage',
  'vobiz',
  'cloudonix',
  'ari',
  'webrtc',
  'smallwebrtc',
  'web',
  'textchat',
] as const;
export type RunMode = (typeof runModes)[number];

/** Contract 6.2. */
export const CreateWorkflowRunRequest = record({
  mode: literal(...runModes).meta({
    description: "How the call will be held: a carrier's name, or a kind of web call.",
  }),
  name: text(),
}).meta({ id: 'CreateWorkflowRunRequest', description: 'A test call that is begun later.' });

/** Contract 15.2, `/ws/call`: where a browser speaks, and its leave to do so. Ours. */
export const WebCallOffer = z
  .object({
    url: z.string().meta({ description: 'WebSocket of the call.' }),
    token: z.string().meta({
      description:
        'Opens that socket once: in the query as `token`, or as the second subprotocol after `parlance`.',
    }),
    expires_in: z.int().meta({ description: 'Seconds within which the socket is to be opened.' }),
  })
  .meta({ id: 'WebCallOffer', description: 'What a browser needs to speak in the call.' });
export type WebCallOffer = z.infer<typeof WebCallOffer>;

/** Contract 6.2; `web_call` is ours. */
export const CreatedWorkflowRun = z
  .object({
    id: z.int(),
    workflow_id: z.int(),
    name: z.string(),
    mode: z.string(),
    created_at: DateTime,
    definition_id: z.int(),
    initial_context: AnyObject,
    web_call: WebCallOffer.nullable().meta({
      description: 'Of mode `web`: how the browser begins it; null of every other mode.',
    }),
  })
  .meta({
    id: 'CreatedWorkflowRun',
    description: 'A call that nobody has begun yet. `definition_id` is the version that it will use.',
  });
export type CreatedWorkflowRun = z.infer<typeof CreatedWorkflowRun>;

/** Contract 6.2; `logs` is null in a list. */
export const WorkflowRunPage = z
  .object({
    runs: z.array(WorkflowRun),
    total_count: z.int(),
    page: z.int(),
    limit: z.int(),
    total_pages: z.int().meta({ description: '0 when there is nothing.' }),
    applied_filters: z.array(AnyObject).nullable(),
  })
  .meta({ id: 'WorkflowRunPage', description: 'One page of calls.' });
export type WorkflowRunPage = z.infer<typeof WorkflowRunPage>;

/** Paging and order of the list of calls (contract 6.2). */
export const ListRunsQuery = record({
  page: integer({ ge: 1 })
    .optional()
    .meta({ override: { default: 1 } }),
  limit: integer(limitRule)
    .optional()
    .meta({ override: { default: 50 } }),
  filters: text()
    .optional()
    .meta({ description: `${callFilters}.` }),
  sort_by: literal('created_at', 'duration')
    .optional()
    .meta({ override: { default: 'created_at' } }),
  sort_order: literal('asc', 'desc')
    .optional()
    .meta({ override: { default: 'desc' } }),
});
export type ListRunsQuery = z.output<typeof ListRunsQuery>;

const tag = 'Calls';

export const listRuns = route({
  method: 'get',
  path: '/workflow/{workflow_id}/runs',
  id: 'listWorkflowRuns',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List the calls of an agent',
  description: 'An agent that does not exist has no calls.',
  params: record({ workflow_id: PathInteger }),
  query: ListRunsQuery,
  answers: {
    200: { description: 'One page of calls.', schema: WorkflowRunPage },
    400: { description: 'The filters are not an array of filters.', schema: ErrorBody },
    403: { description: 'A filter by an attribute this list does not have.', schema: ErrorBody },
  },
});

export const getRun = route({
  method: 'get',
  path: '/workflow/{workflow_id}/runs/{run_id}',
  id: 'getWorkflowRun',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Read one call',
  description: 'With logs and public links.',
  params: record({ workflow_id: PathInteger, run_id: PathInteger }),
  answers: {
    200: { description: 'The call.', schema: WorkflowRun },
    404: notFound("No such call of this agent in the caller's organization."),
  },
});

export const createRun = route({
  method: 'post',
  path: '/workflow/{workflow_id}/runs',
  id: 'createWorkflowRun',
  tag,
  auth: 'key',
  scope: 'calls:trigger',
  summary: 'Make a test call ahead',
  description:
    'With the draft, or with the published version when there is no draft, and its test values. One of mode `web` is begun by a browser that opens the socket of `web_call`; when no media host takes calls nothing is made (503). One that nobody begins within a day is closed.',
  params: record({ workflow_id: PathInteger }),
  headers: IdempotencyHeaders,
  body: CreateWorkflowRunRequest,
  answers: {
    200: { description: 'The call, `initialized`.', schema: CreatedWorkflowRun },
    404: notFound("No such agent in the caller's organization."),
    422: {
      description: 'Field faults (array), or a graph that cannot run (object).',
      schema: FieldOrGraphError,
    },
  },
});

export const downloadArtifact = route({
  method: 'get',
  path: '/public/download/workflow/{token}/{artifact}',
  id: 'downloadArtifact',
  tag: 'Downloads',
  auth: 'none',
  group: 'downloads',
  summary: 'Download what a call left',
  description: "The token is the call's public access token. Leads to a link that is good for one hour.",
  params: record({ token: text(), artifact: text() }),
  query: record({
    inline: boolean()
      .optional()
      .meta({ override: { default: false } }),
  }),
  answers: {
    302: { description: 'The link is in `Location`.' },
    400: { description: 'No artifact is called so.', schema: ErrorBody },
    404: { description: 'No such token, or the call has no such artifact.', schema: ErrorBody },
  },
});

export const readPublicFile = route({
  method: 'get',
  path: '/public/file/{ticket}',
  id: 'readPublicFile',
  tag: 'Downloads',
  auth: 'none',
  group: 'downloads',
  summary: 'Follow a download link',
  description: 'The ticket is sealed and good for as long as the link said.',
  params: record({ ticket: text() }),
  headers: record({
    Range: text()
      .optional()
      .meta({ description: 'One range of bytes of an uploaded file; a transcript is sent whole.' }),
  }),
  answers: {
    200: { description: 'The file.', mediaType: 'application/octet-stream' },
    206: { description: 'The part of the file that was asked for.', mediaType: 'application/octet-stream' },
    404: {
      description: 'The link is not ours or has expired, or there is no such file any more.',
      schema: ErrorBody,
    },
    416: { description: 'The file ends before the part that was asked for.', schema: ErrorBody },
  },
});
