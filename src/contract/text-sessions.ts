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
import { route } from './route.ts';

/** Contract 6.10. */
export const CreateTextSessionRequest = record({
  name: text().nullish(),
  initial_context: freeForm().nullish(),
  annotations: freeForm().nullish(),
}).meta({
  id: 'CreateTextSessionRequest',
  description: 'A text conversation with the draft, or with the published version when there is no draft.',
});
export type CreateTextSessionRequest = z.output<typeof CreateTextSessionRequest>;

/** Contract 6.10. */
export const SendTextMessageRequest = record({
  text: text({ min: 1 }),
  expected_revision: integer().nullish(),
}).meta({ id: 'SendTextMessageRequest', description: 'One utterance of the user.' });
export type SendTextMessageRequest = z.output<typeof SendTextMessageRequest>;

/** Contract 6.10. */
export const RewindTextSessionRequest = record({
  cursor_turn_id: text().nullish(),
  expected_revision: integer().nullish(),
}).meta({
  id: 'RewindTextSessionRequest',
  description: 'The turn that becomes the last one; without one, before the first turn.',
});
export type RewindTextSessionRequest = z.output<typeof RewindTextSessionRequest>;

/** Contract 6.10. */
export const EndTextSessionRequest = record({ expected_revision: integer().nullish() }).meta({
  id: 'EndTextSessionRequest',
  description: 'Closes the conversation.',
});
export type EndTextSessionRequest = z.output<typeof EndTextSessionRequest>;

const SpokenLine = z.object({ text: z.string(), created_at: DateTime });

/** One exchange; the opening has no user message. */
export const TextTurn = z
  .object({
    id: z.string(),
    status: z.string(),
    created_at: DateTime,
    user_message: SpokenLine.nullable(),
    assistant_message: SpokenLine.nullable(),
    events: z.array(AnyObject),
    usage: AnyObject,
    checkpoint_after_turn: AnyObject.nullable(),
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
      .meta({ description: 'Turns that rewinds have discarded, oldest first.' }),
    simulator: AnyObject,
  })
  .meta({ id: 'TextSessionData', description: 'The turns of a text session.' });
export type TextSessionData = z.infer<typeof TextSessionData>;

/** Contract 6.10. */
export const TextSessionCheckpoint = z
  .object({
    version: z.int(),
    anchor_turn_id: z.string().nullable(),
    current_node_id: z.string().nullable(),
    messages: z.array(AnyObject),
    gathered_context: AnyObject,
    tool_state: AnyObject,
  })
  .meta({ id: 'TextSessionCheckpoint', description: 'Where the conversation stands.' });
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
    initial_context: AnyObject,
    gathered_context: AnyObject,
    annotations: AnyObject,
    session_data: TextSessionData,
    checkpoint: TextSessionCheckpoint,
    created_at: DateTime,
    updated_at: DateTime,
    transcript_erased_at: DateTime.nullable().meta({
      description: 'When the turns were erased, by retention or for a person: there are none from then on.',
    }),
    variables_erased_at: DateTime.nullable().meta({
      description: 'When the values were erased: contexts and annotations are empty from then on.',
    }),
  })
  .meta({ id: 'TextSession', description: 'A text conversation. `revision` grows by one with each change.' });
export type TextSession = z.infer<typeof TextSession>;

const sessions = '/workflow/{workflow_id}/text-chat/sessions';
const tag = 'Text sessions';
const AgentPath = record({ workflow_id: PathInteger });
const SessionPath = record({ workflow_id: PathInteger, run_id: PathInteger });
const unknownSession = notFound("No such session of this agent in the caller's organization.");
const session = { description: 'The session.', schema: TextSession };
const modelFailed = {
  description: 'The language model failed; the revision is as it was and the session is usable.',
  schema: ErrorBody,
};
const closed = { description: 'The session has ended.', schema: ErrorBody };
const conflict = { description: 'Someone else changed the session.', schema: RevisionConflictBody };

export const createTextSession = route({
  method: 'post',
  path: sessions,
  id: 'createTextSession',
  tag,
  auth: 'key',
  scope: 'calls:trigger',
  group: 'calls',
  summary: 'Start a text conversation',
  description: "Answers when the agent's opening is there.",
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
  summary: 'Read a text conversation',
  description: 'With every turn so far.',
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
  summary: 'Say something',
  description: "Answers with the agent's reply.",
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
  summary: 'Go back in a text conversation',
  description:
    'Later turns no longer count. Before the first turn, the agent opens again, which is a change of its own.',
  params: SessionPath,
  headers: IdempotencyHeaders,
  body: RewindTextSessionRequest,
  answers: {
    200: session,
    400: closed,
    404: notFound("No such session of this agent in the caller's organization, or no such turn in it."),
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
  summary: 'End a text conversation',
  description: 'Data is extracted and sent as at the end of any call.',
  params: SessionPath,
  headers: IdempotencyHeaders,
  body: EndTextSessionRequest,
  answers: { 200: session, 400: closed, 404: unknownSession, 409: conflict },
});
