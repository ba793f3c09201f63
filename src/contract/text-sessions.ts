import { z } from 'zod';
import {
  AnyObject,
  DateTime,
  ErrorBody,
  FieldOrGraphError,
  IdempotencyHeaders,
  notFound,
  PathInteger,
  RevisionConflictBody,
} from './common.ts';
import { freeForm, record } from './lax/collections.ts';
import { integer } from './lax/number.ts';
import { text } from './lax/text.ts';
import { emptied, masked } from './personal.ts';
import { route } from './route.ts';

/** Contract 6.10. */
export const CreateTextSessionRequest = record({
  name: text().nullish(),
  initial_context: freeForm().nullish(),
  annotations: freeForm().nullish(),
}).meta({
  id: 'CreateTextSessionRequest',
  description: 'A new text session with an agent.',
});
export type CreateTextSessionRequest = z.output<typeof CreateTextSessionRequest>;

/** Contract 6.10. */
export const SendTextMessageRequest = record({
  text: text({ min: 1 }),
  expected_revision: integer().nullish(),
}).meta({ id: 'SendTextMessageRequest', description: 'A message of the person.' });
export type SendTextMessageRequest = z.output<typeof SendTextMessageRequest>;

/** Contract 6.10. */
export const RewindTextSessionRequest = record({
  cursor_turn_id: text().nullish(),
  expected_revision: integer().nullish(),
}).meta({
  id: 'RewindTextSessionRequest',
  description: 'The turn to go back to.',
});
export type RewindTextSessionRequest = z.output<typeof RewindTextSessionRequest>;

/** Contract 6.10. */
export const EndTextSessionRequest = record({ expected_revision: integer().nullish() }).meta({
  id: 'EndTextSessionRequest',
  description: 'The expected revision of the session to end.',
});
export type EndTextSessionRequest = z.output<typeof EndTextSessionRequest>;

const SpokenLine = z.object({ text: masked(z.string()), created_at: DateTime });

/** One exchange. The opening has no user message. */
export const TextTurn = z
  .object({
    id: z.string(),
    status: z.string(),
    created_at: DateTime,
    user_message: SpokenLine.nullable(),
    assistant_message: SpokenLine.nullable(),
    events: emptied(z.array(AnyObject)),
    usage: AnyObject,
    checkpoint_after_turn: emptied(AnyObject.nullable()),
  })
  .meta({ id: 'TextTurn', description: 'One exchange of a text session.' });
export type TextTurn = z.infer<typeof TextTurn>;

/** Contract 6.10. */
export const TextSessionData = z
  .object({
    version: z.int(),
    status: z.enum(['idle', 'pending_assistant_turn', 'completed', 'error', 'rewound']),
    cursor_turn_id: z.string().nullable(),
    turns: z.array(TextTurn),
    discarded_future: z
      .array(TextTurn)
      .meta({ description: 'Turns that were discarded by a rewind, oldest first.' }),
    simulator: emptied(AnyObject),
  })
  .meta({ id: 'TextSessionData', description: 'The turns of a text session.' });
export type TextSessionData = z.infer<typeof TextSessionData>;

/** Contract 6.10. */
export const TextSessionCheckpoint = z
  .object({
    version: z.int(),
    anchor_turn_id: z.string().nullable(),
    current_node_id: z.string().nullable(),
    messages: emptied(z.array(AnyObject)),
    gathered_context: masked(AnyObject),
    tool_state: emptied(AnyObject),
  })
  .meta({ id: 'TextSessionCheckpoint', description: 'Current state of the conversation.' });
export type TextSessionCheckpoint = z.infer<typeof TextSessionCheckpoint>;

/** Contract 6.10. */
export const TextSession = z
  .object({
    workflow_run_id: z.int(),
    workflow_id: z.int(),
    name: z.string(),
    mode: z.literal('textchat'),
    state: z.enum(['initialized', 'running', 'completed']),
    is_completed: z.boolean(),
    revision: z.int(),
    initial_context: masked(AnyObject),
    gathered_context: masked(AnyObject),
    annotations: emptied(AnyObject),
    session_data: TextSessionData,
    checkpoint: TextSessionCheckpoint,
    created_at: DateTime,
    updated_at: DateTime,
    transcript_erased_at: DateTime.nullable().meta({
      description:
        'When the turns were erased, by retention, by request or by the erasure of a person. `turns` is empty after that. Null if they were not.',
    }),
    variables_erased_at: DateTime.nullable().meta({
      description:
        'When the values were erased. Contexts and annotations are empty after that. Null if they were not.',
    }),
  })
  .meta({ id: 'TextSession', description: 'A text session: a conversation by text.' });
export type TextSession = z.infer<typeof TextSession>;

const sessions = '/workflow/{workflow_id}/text-chat/sessions';
const tag = 'Text sessions';
const AgentPath = record({ workflow_id: PathInteger });
const SessionPath = record({ workflow_id: PathInteger, run_id: PathInteger });
const unknownSession = notFound("No such session of this agent in the caller's organization.");
const session = { description: 'The session.', schema: TextSession };
const modelFailed = {
  description: 'The language model failed. The revision is unchanged, and the session can be used.',
  schema: ErrorBody,
};
const closed = { description: 'The session has ended.', schema: ErrorBody };
const conflict = {
  description: 'The session has another revision than expected.',
  schema: RevisionConflictBody,
};

export const createTextSession = route({
  method: 'post',
  path: sessions,
  id: 'createTextSession',
  tag,
  auth: 'key',
  scope: 'calls:trigger',
  group: 'calls',
  summary: 'Start a text session',
  description:
    "Returns the session with the agent's opening. It uses the draft, or the published version if there is no draft, with its test values.",
  params: AgentPath,
  headers: IdempotencyHeaders,
  body: CreateTextSessionRequest,
  answers: {
    200: session,
    404: notFound("No such agent in the caller's organization."),
    422: {
      description: 'Field faults (array), or a graph that cannot run (object).',
      schema: FieldOrGraphError,
    },
    500: modelFailed,
  },
});

export const getTextSession = route({
  method: 'get',
  path: `${sessions}/{run_id}`,
  id: 'getTextSession',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Get a text session',
  description: 'Returns the session with all its turns.',
  params: SessionPath,
  answers: { 200: session, 404: unknownSession },
});

export const sendTextMessage = route({
  method: 'post',
  path: `${sessions}/{run_id}/messages`,
  id: 'sendTextMessage',
  tag,
  auth: 'key',
  scope: 'calls:trigger',
  summary: 'Send a message',
  description:
    "Returns the session with the agent's reply. A key without the scope `read` gets the new turn of a session that it started, and nothing else of the conversation.",
  params: SessionPath,
  headers: IdempotencyHeaders,
  body: SendTextMessageRequest,
  answers: { 200: session, 400: closed, 404: unknownSession, 409: conflict, 500: modelFailed },
});

export const rewindTextSession = route({
  method: 'post',
  path: `${sessions}/{run_id}/rewind`,
  id: 'rewindTextSession',
  tag,
  auth: 'key',
  scope: 'calls:trigger',
  summary: 'Rewind a text session',
  description:
    'Goes back to a turn. Later turns no longer count. After a rewind to before the first turn the agent opens again, which is a further change of the revision.',
  params: SessionPath,
  headers: IdempotencyHeaders,
  body: RewindTextSessionRequest,
  answers: {
    200: session,
    400: closed,
    404: notFound(
      "No such session of this agent in the caller's organization, or the session has no such turn.",
    ),
    409: conflict,
  },
});

export const endTextSession = route({
  method: 'post',
  path: `${sessions}/{run_id}/end`,
  id: 'endTextSession',
  tag,
  auth: 'key',
  scope: 'calls:trigger',
  summary: 'End a text session',
  description: 'Ends the session. Data is extracted and webhooks are sent as at the end of any call.',
  params: SessionPath,
  headers: IdempotencyHeaders,
  body: EndTextSessionRequest,
  answers: { 200: session, 400: closed, 404: unknownSession, 409: conflict },
});
