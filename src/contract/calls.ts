import { z } from 'zod';
import {
  AnyObject,
  Author,
  DateTime,
  ErrorBody,
  FieldOrGraphError,
  IdempotencyHeaders,
  limitRule,
  notFound,
  PathInteger,
} from './common.ts';
import { Intervened } from './interventions.ts';
import { freeForm, record } from './lax/collections.ts';
import { boolean, integer } from './lax/number.ts';
import { literal, text } from './lax/text.ts';
import { emptied, masked, withoutNumbers } from './personal.ts';
import { route } from './route.ts';
import { callFilters } from './usage.ts';

const link = emptied(z.string().nullable());

const JudgedAgainState = z.enum(['judging', 'judged', 'failed']).meta({
  description:
    '`judging` while the latest judgment is under way, `judged` once it replaced the former one, `failed` if the former one stays.',
});

/** An addition to the published interface. */
const JudgedAgain = z
  .object({
    state: JudgedAgainState,
    definition_id: z.int().meta({ description: 'Id of the version whose QA nodes judge.' }),
    requested_at: DateTime.meta({ description: 'When the latest judgment was asked for.' }),
    requested_by: Author,
    reason: withoutNumbers(z.string().nullable()).meta({
      description: 'Why the latest judgment failed. Null if it did not.',
    }),
    judged_at: DateTime.nullable().meta({
      description: 'When a judgment last replaced the former one. Null if none has.',
    }),
    judged_by: Author.nullable().meta({ description: 'Who asked for that judgment. Null if none has.' }),
    count: z.int().meta({ description: 'Number of judgments that replaced the former one.' }),
  })
  .meta({ id: 'JudgedAgain', description: 'The judgments of a call that were asked for after its own.' });

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
    transcript_url: link.meta({ description: 'Storage key. `transcript_public_url` is the link.' }),
    recording_url: link.meta({ description: 'Storage key. `recording_public_url` is the link.' }),
    user_recording_url: link,
    bot_recording_url: link,
    transcript_public_url: link,
    recording_public_url: link,
    user_recording_public_url: link,
    bot_recording_public_url: link,
    public_access_token: emptied(z.string().nullable()),
    cost_info: AnyObject.nullable(),
    usage_info: AnyObject.nullable(),
    definition_id: z.int().nullable().meta({ description: 'Id of the version that the call is pinned to.' }),
    initial_context: masked(AnyObject.nullable()),
    gathered_context: masked(AnyObject.nullable()),
    call_type: z.enum(['inbound', 'outbound']),
    logs: emptied(AnyObject.nullable()),
    annotations: emptied(AnyObject.nullable()).meta({
      description:
        "Results of QA nodes and other annotations. `qa_<node id>` of each QA node is `{node_results, score, tags, model, token_usage}`, `{skipped: true, reason}`, or `{error}` with the judgments so far. `node_results` has, by node id, `{node_name, score (1-10 or null), overall_sentiment, summary, tags, answer}`; `answer` is the model's JSON. `tags` is the sorted union of all tags. `simulated: true` marks a simulated judgment.",
    }),
    judged_again: JudgedAgain.nullable().meta({
      description: 'Whether the call was judged again. Null if nobody asked for it, and in a list.',
    }),
    caller_number: masked(z.string().nullable()),
    called_number: masked(z.string().nullable()),
    phone_number: masked(z.string().nullable()),
    disposition: z.string().nullable(),
    call_duration_seconds: z.int().nullable(),
    call_id: z.string().meta({ description: 'Uuid of the call.' }),
    temporal_workflow_id: z.string().meta({ description: 'Workflow Id of the call in Temporal.' }),
    transcript_erased_at: DateTime.nullable().meta({
      description:
        'When the transcript was erased, by retention, by request or by the erasure of a person. Null if it was not.',
    }),
    variables_erased_at: DateTime.nullable().meta({
      description:
        'When the values were erased. Contexts and annotations are null after that. Null if they were not.',
    }),
  })
  .meta({ id: 'WorkflowRun', description: 'A call: one conversation of an agent.' });
export type WorkflowRun = z.infer<typeof WorkflowRun>;

/** An addition to the published interface (contract 6.7). */
export const LiveRun = z
  .object({
    id: z.int(),
    workflow_id: z.int(),
    state: z.enum(['initialized', 'running', 'completed']),
    is_completed: z.boolean(),
    current_node: z.string().nullable().meta({
      description: 'Name of the node that the call is at. Null before its first turn and after its end.',
    }),
    gathered_context: masked(AnyObject.nullable()).meta({
      description: 'The values so far. Null after they were erased.',
    }),
    events: emptied(z.array(AnyObject)).meta({
      description: 'Events of the turns so far, as in `logs.realtime_feedback_events`.',
    }),
    running: emptied(z.array(AnyObject)).meta({
      description:
        'What was said since the last of these turns: `rtf-user-transcription` and `rtf-bot-text`. A clause that is being said has no `end_timestamp`.',
    }),
    interventions: z.array(Intervened).meta({ description: 'What people asked of the call, in order.' }),
    moves: z.array(DateTime).meta({
      description: 'When the call moved to another media host, because its host was lost or stopped.',
    }),
  })
  .meta({ id: 'LiveRun', description: 'What a call has come to so far.' });
export type LiveRun = z.infer<typeof LiveRun>;

/** Contract 6.3. */
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

/** Contract 6.2. `initial_context` is an addition. */
export const CreateWorkflowRunRequest = record({
  mode: literal(...runModes).meta({
    description: 'Channel of the call: the name of a carrier, or a kind of web call.',
  }),
  name: text(),
  initial_context: freeForm().nullish().meta({
    description: "Initial values of the call, for the agent's templates. They override the test values.",
  }),
}).meta({ id: 'CreateWorkflowRunRequest', description: 'A test call that begins later.' });

/** The address and token of a browser's call (contract 15.2, `/ws/call`). An addition to the interface. */
export const WebCallOffer = z
  .object({
    url: z.string().meta({ description: 'URL of the WebSocket of the call.' }),
    token: z.string().meta({
      description:
        'Token that opens the WebSocket once. Send it in the query as `token`, or as the second subprotocol after `parlance`.',
    }),
    expires_in: z.int().meta({ description: 'Seconds until the token expires.' }),
  })
  .meta({ id: 'WebCallOffer', description: 'Access of a browser to the call.' });
export type WebCallOffer = z.infer<typeof WebCallOffer>;

/** Contract 6.2. `web_call` is an addition. */
export const CreatedWorkflowRun = z
  .object({
    id: z.int(),
    workflow_id: z.int(),
    name: z.string(),
    mode: z.string(),
    created_at: DateTime,
    definition_id: z.int(),
    initial_context: masked(AnyObject),
    web_call: WebCallOffer.nullable().meta({
      description: 'How a browser begins the call, for mode `web`. Null for other modes.',
    }),
  })
  .meta({
    id: 'CreatedWorkflowRun',
    description: 'A call that has not begun. `definition_id` is its version.',
  });
export type CreatedWorkflowRun = z.infer<typeof CreatedWorkflowRun>;

/** Contract 6.2; `logs` is null in a list. */
export const WorkflowRunPage = z
  .object({
    runs: z.array(WorkflowRun),
    total_count: z.int(),
    page: z.int(),
    limit: z.int(),
    total_pages: z.int().meta({ description: 'Number of pages. 0 if there are no items.' }),
    applied_filters: z.array(AnyObject).nullable(),
  })
  .meta({ id: 'WorkflowRunPage', description: 'A page of calls.' });
export type WorkflowRunPage = z.infer<typeof WorkflowRunPage>;

/** An addition to the published interface. */
export const RequestedErasure = z
  .object({
    state: z.enum(['erasing', 'erased']).meta({
      description: '`erasing` while the data is being removed, `erased` once nothing is left.',
    }),
  })
  .meta({ id: 'RequestedErasure', description: 'The erasure of a call.' });
export type RequestedErasure = z.infer<typeof RequestedErasure>;

/** An addition to the published interface. */
export const JudgeRunRequest = record({
  version: literal('pinned', 'published')
    .optional()
    .meta({
      override: { default: 'pinned' },
      description:
        'Whose QA nodes judge: those of the version that the call is pinned to, or those of the published one.',
    }),
}).meta({ id: 'JudgeRunRequest', description: 'How to judge a call again.' });
export type JudgeRunRequest = z.output<typeof JudgeRunRequest>;

/** An addition to the published interface. */
export const RequestedJudgment = z
  .object({
    state: JudgedAgainState,
    definition_id: z.int().meta({ description: 'Id of the version whose QA nodes judge.' }),
    requested_at: DateTime.meta({ description: 'When the judgment was asked for.' }),
  })
  .meta({ id: 'RequestedJudgment', description: 'A judgment that is under way.' });
export type RequestedJudgment = z.infer<typeof RequestedJudgment>;

/** Filters, pages and order of a list of calls (contract 6.2). */
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
  description: 'Returns the calls of an agent. The list is empty if the agent does not exist.',
  params: record({ workflow_id: PathInteger }),
  query: ListRunsQuery,
  answers: {
    200: { description: 'A page of calls.', schema: WorkflowRunPage },
    400: { description: '`filters` is not a JSON array of filters.', schema: ErrorBody },
    403: { description: '`filters` names an attribute that this list does not have.', schema: ErrorBody },
  },
});

export const getRun = route({
  method: 'get',
  path: '/workflow/{workflow_id}/runs/{run_id}',
  id: 'getWorkflowRun',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Get a call',
  description: 'Returns the call with logs and public links.',
  params: record({ workflow_id: PathInteger, run_id: PathInteger }),
  answers: {
    200: { description: 'The call.', schema: WorkflowRun },
    404: notFound("No such call of this agent in the caller's organization."),
  },
});

export const getLiveRun = route({
  method: 'get',
  path: '/workflow/{workflow_id}/runs/{run_id}/live',
  id: 'getLiveWorkflowRun',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Follow a call',
  description:
    'Returns the turns, the words that are being said, the node and the values of a call that goes on. Of an ended call it returns what its record has.',
  params: record({ workflow_id: PathInteger, run_id: PathInteger }),
  answers: {
    200: { description: 'What the call has come to so far.', schema: LiveRun },
    404: notFound("No such call of this agent in the caller's organization."),
  },
});

export const eraseRun = route({
  method: 'post',
  path: '/workflow/{workflow_id}/runs/{run_id}/erase',
  id: 'eraseWorkflowRun',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Erase an ended call',
  description:
    'Erases the transcript, values, recording, webhook bodies and Temporal histories of the call. The call stays in lists, with its times, outcome, usage and cost. The data is removed in the background, usually within a minute; then `transcript_erased_at` and `variables_erased_at` are set. A repeated request has no further effect. Erased data cannot be restored.',
  params: record({ workflow_id: PathInteger, run_id: PathInteger }),
  headers: IdempotencyHeaders,
  answers: {
    202: { description: 'The call is being erased, or was erased.', schema: RequestedErasure },
    404: notFound("No such call of this agent in the caller's organization."),
    409: { description: 'The call is still live.', schema: ErrorBody },
  },
});

export const judgeRun = route({
  method: 'post',
  path: '/workflow/{workflow_id}/runs/{run_id}/judge',
  id: 'judgeWorkflowRun',
  tag,
  auth: 'key',
  scope: 'calls:trigger',
  summary: 'Judge an ended call again',
  description:
    'Runs the QA nodes again in the background, usually within a minute. The former results stay in `annotations` until all QA nodes are done; then they are replaced at once. If a QA node fails, they stay, and `judged_again` says why. The sample of a QA node does not count here; its minimum duration and its rule for voicemail do. Webhooks are not sent again. While a judgment is under way, a request answers that one.',
  params: record({ workflow_id: PathInteger, run_id: PathInteger }),
  headers: IdempotencyHeaders,
  body: JudgeRunRequest,
  answers: {
    202: { description: 'The judgment is under way.', schema: RequestedJudgment },
    404: notFound("No such call of this agent in the caller's organization."),
    409: {
      description:
        'The call is still live, was erased, or has no words, or the version has no QA node that is switched on.',
      schema: ErrorBody,
    },
  },
});

export const createRun = route({
  method: 'post',
  path: '/workflow/{workflow_id}/runs',
  id: 'createWorkflowRun',
  tag,
  auth: 'key',
  scope: 'calls:trigger',
  summary: 'Create a test call to begin later',
  description:
    'The call uses the draft, or the published version if there is no draft, and its test values, underneath those of `initial_context`. A browser begins a call of mode `web` by opening the WebSocket in `web_call`. If no media host accepts calls, no call is created (503). A call that has not begun within a day is closed.',
  params: record({ workflow_id: PathInteger }),
  headers: IdempotencyHeaders,
  body: CreateWorkflowRunRequest,
  answers: {
    200: { description: 'The call in state `initialized`.', schema: CreatedWorkflowRun },
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
  summary: 'Download a file of a call',
  description: 'Redirects to a link that is valid for one hour.',
  params: record({ token: text(), artifact: text() }),
  query: record({
    inline: boolean()
      .optional()
      .meta({ override: { default: false } }),
  }),
  answers: {
    302: { description: 'Redirect to the link in `Location`.' },
    400: { description: 'Unknown artifact type.', schema: ErrorBody },
    404: { description: 'Unknown token, or the call has no such artifact.', schema: ErrorBody },
  },
});

export const readPublicFile = route({
  method: 'get',
  path: '/public/file/{ticket}',
  id: 'readPublicFile',
  tag: 'Downloads',
  auth: 'none',
  group: 'downloads',
  summary: 'Download a file by its link',
  description: 'The ticket is valid until the link expires.',
  params: record({ ticket: text() }),
  headers: record({
    Range: text()
      .optional()
      .meta({ description: 'One byte range of an uploaded file. A transcript is always returned whole.' }),
  }),
  answers: {
    200: { description: 'The file.', mediaType: 'application/octet-stream' },
    206: { description: 'The requested part of the file.', mediaType: 'application/octet-stream' },
    404: {
      description: 'The link is invalid or expired, or the file no longer exists.',
      schema: ErrorBody,
    },
    416: { description: 'The requested range is beyond the end of the file.', schema: ErrorBody },
  },
});
