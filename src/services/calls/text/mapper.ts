import type { TextSession, TextTurn } from '../../../contract/text-sessions.ts';
import type { CallState } from '../../../db/tables/calls.ts';
import type { TurnRow } from '../../../db/tables/turns.ts';
import { wireCallState } from '../records/mapper.ts';
import { wireTimestamp } from '../../kernel/index.ts';
import type { FoundSession } from './find.ts';

/** Version of the documents below, for clients that keep them. */
const documentVersion = 1;

/** Clients see a conversation as completed when it is over, even while its record is being finished. */
const wireStates = { ...wireCallState, ending: 'completed' } as const satisfies Record<
  CallState,
  TextSession['state']
>;

/** The session as clients see it (contract 6.10). */
export function toTextSession(
  { call, session }: FoundSession,
  { live, discarded }: { live: readonly TurnRow[]; discarded: readonly TurnRow[] },
): TextSession {
  return {
    workflow_run_id: call.id,
    workflow_id: call.agentId,
    name: call.name,
    mode: 'textchat',
    state: wireStates[call.state],
    is_completed: wireStates[call.state] === 'completed',
    revision: session.revision,
    initial_context: call.initialContext,
    gathered_context: call.gatheredContext,
    annotations: call.annotations,
    session_data: {
      version: documentVersion,
      status: session.status,
      cursor_turn_id: session.cursorTurnUuid,
      turns: live.map(toTurn),
      discarded_future: discarded.map(toTurn),
      simulator: {},
    },
    checkpoint: {
      version: documentVersion,
      anchor_turn_id: session.cursorTurnUuid,
      current_node_id: session.checkpoint?.nodeId ?? null,
      messages: live.flatMap(({ lines }) =>
        lines.map(({ speaker, text }) => ({ role: speaker, content: text })),
      ),
      gathered_context: call.gatheredContext,
      tool_state: {},
    },
    created_at: wireTimestamp(call.createdAt),
    updated_at: wireTimestamp(session.updatedAt),
    transcript_erased_at: call.transcriptErasedAt === null ? null : wireTimestamp(call.transcriptErasedAt),
    variables_erased_at: call.variablesErasedAt === null ? null : wireTimestamp(call.variablesErasedAt),
  };
}

/** The session with nothing of the conversation except its last turn, if that is new. */
export function onlyNewTurn(session: TextSession, isNew: boolean): TextSession {
  const turns = isNew ? session.session_data.turns.slice(-1) : [];
  return {
    ...session,
    initial_context: {},
    gathered_context: {},
    annotations: {},
    session_data: { ...session.session_data, turns, discarded_future: [] },
    checkpoint: { ...session.checkpoint, messages: [], gathered_context: {} },
  };
}

function toTurn({
  uuid,
  createdAt,
  userText,
  userAt,
  replyText,
  replyAt,
  events,
  usage,
  checkpoint,
}: TurnRow): TextTurn {
  return {
    id: uuid,
    status: 'completed',
    created_at: wireTimestamp(createdAt),
    user_message: spoken(userText, userAt),
    assistant_message: spoken(replyText, replyAt),
    events,
    usage,
    checkpoint_after_turn: {
      version: documentVersion,
      anchor_turn_id: uuid,
      current_node_id: checkpoint.nodeId,
      nodes_visited: checkpoint.nodesVisited,
      revision: checkpoint.revision,
    },
  };
}

function spoken(text: string | null, at: Date | null): TextTurn['user_message'] {
  return text === null || at === null ? null : { text, created_at: wireTimestamp(at) };
}
