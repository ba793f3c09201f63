import type { LiveRun, WorkflowRun, WorkflowRunPage } from '../../contract/calls.ts';
import type { TriggeredCall } from '../../contract/telephony.ts';
import type { TextSession, TextTurn } from '../../contract/text-sessions.ts';
import { type JsonObject, isObject, own } from '../json.ts';
import type { ApiClient } from './client.ts';

/** Timeout of a message. A turn may need several requests to the model. */
const turnTimeoutMs = 120_000;

export interface SessionRef {
  agentId: number;
  callId: number;
}

export interface CallApi {
  list(agentId: number, query: { page: number; limit: number; filters?: string }): Promise<WorkflowRunPage>;
  get(call: SessionRef): Promise<WorkflowRun>;
  /** Returns what a call has come to so far. */
  live(call: SessionRef): Promise<LiveRun>;
  /** Starts a call by phone: of the published version, or as a test of the draft. */
  place(
    agentUuid: string,
    call: { phoneNumber: string; values: JsonObject; isTest: boolean },
  ): Promise<PlacedCall>;
  /** Returns the current state of a text session. */
  session(call: SessionRef): Promise<TextSession>;
  open(agentId: number, initialContext: JsonObject): Promise<TextSession>;
  say(call: SessionRef, text: string, revision: number): Promise<TextSession>;
  end(call: SessionRef, revision: number): Promise<TextSession>;
}

/** A call that has begun. */
export interface PlacedCall {
  callId: number;
  /** `published version 3`. */
  version: string;
  /** The answer of the service. */
  answer: TriggeredCall;
}

export function createCallApi(api: ApiClient): CallApi {
  const at = ({ agentId, callId }: SessionRef) => ({ params: { workflow_id: agentId, run_id: callId } });
  const timeoutMs = turnTimeoutMs;
  return {
    list: async (agentId, query) =>
      (await api.call('get', '/workflow/{workflow_id}/runs', { params: { workflow_id: agentId }, query }))
        .body,
    get: async (call) => (await api.call('get', '/workflow/{workflow_id}/runs/{run_id}', at(call))).body,
    place: async (agentUuid, { phoneNumber, values, isTest }) => {
      const { body } = await api.call(
        'post',
        isTest ? '/public/agent/test/workflow/{workflow_uuid}' : '/public/agent/workflow/{workflow_uuid}',
        {
          params: { workflow_uuid: agentUuid },
          body: { phone_number: phoneNumber, initial_context: values },
        },
      );
      const version = `${body.version_status} version ${body.version_number}`;
      return { callId: body.workflow_run_id, version, answer: body };
    },
    live: async (call) =>
      (await api.call('get', '/workflow/{workflow_id}/runs/{run_id}/live', at(call))).body,
    session: async (call) =>
      (await api.call('get', '/workflow/{workflow_id}/text-chat/sessions/{run_id}', at(call))).body,
    open: async (agentId, values) =>
      (
        await api.call('post', '/workflow/{workflow_id}/text-chat/sessions', {
          params: { workflow_id: agentId },
          body: { initial_context: values },
          timeoutMs,
        })
      ).body,
    say: async (call, text, revision) =>
      (
        await api.call('post', '/workflow/{workflow_id}/text-chat/sessions/{run_id}/messages', {
          ...at(call),
          body: { text, expected_revision: revision },
          timeoutMs,
        })
      ).body,
    end: async (call, revision) =>
      (
        await api.call('post', '/workflow/{workflow_id}/text-chat/sessions/{run_id}/end', {
          ...at(call),
          body: { expected_revision: revision },
          timeoutMs,
        })
      ).body,
  };
}

/** Returns the ids of a session's call. */
export const refOf = (session: TextSession): SessionRef => ({
  agentId: session.workflow_id,
  callId: session.workflow_run_id,
});

/** Returns the id of the node at the end of a turn. */
export function nodeAfter(turn: TextTurn): string | null {
  const id = own(turn.checkpoint_after_turn, 'current_node_id');
  return typeof id === 'string' ? id : null;
}

/** Returns the extracted variables. Empty while the call is live. */
export function extractedOf(run: WorkflowRun): JsonObject {
  const found = own(run.gathered_context, 'extracted_variables');
  return isObject(found) ? found : {};
}
