import { ApiError, call } from '../../../app/api.ts';
import type { TextRequests } from '../../../live/text-session.ts';

const modelMs = 120_000;

/** The requests of an agent's text sessions. */
export function textRequests(agentId: number): TextRequests {
  const path = '/workflow/{workflow_id}/text-chat/sessions';
  const of = (runId: number) => ({ workflow_id: agentId, run_id: runId });
  return {
    create: async (values, idempotencyKey) =>
      (
        await call('post', path, {
          params: { workflow_id: agentId },
          body: { initial_context: values },
          idempotencyKey,
          timeoutMs: modelMs,
        })
      ).body,
    read: async (runId) => (await call('get', `${path}/{run_id}`, { params: of(runId) })).body,
    say: async (runId, text, { key, revision }) =>
      (
        await call('post', `${path}/{run_id}/messages`, {
          params: of(runId),
          body: { text, expected_revision: revision },
          idempotencyKey: key,
          timeoutMs: modelMs,
        })
      ).body,
    rewind: async (runId, turnId, { key, revision }) =>
      (
        await call('post', `${path}/{run_id}/rewind`, {
          params: of(runId),
          body: { cursor_turn_id: turnId, expected_revision: revision },
          idempotencyKey: key,
          timeoutMs: modelMs,
        })
      ).body,
    end: async (runId, { key, revision }) =>
      (
        await call('post', `${path}/{run_id}/end`, {
          params: of(runId),
          body: { expected_revision: revision },
          idempotencyKey: key,
        })
      ).body,
    isStale: (fault) => fault instanceof ApiError && (fault.status === 409 || fault.status === 400),
  };
}
