import { ApiError, call } from '../app/api.ts';
import { nowMs } from '../app/clock.ts';
import type { TextSession } from '../../../src/contract/text-sessions.ts';
import { afterClose, afterMessage, type CallMessage, type CallView, emptyView, isOver } from './call-view.ts';
import type { LiveCall } from './web-call.ts';

/** The same conversation by text, for installations whose media hosts take no calls. */
export async function startTextCall(
  agentId: number,
): Promise<LiveCall & { runId: number; values: Record<string, unknown> }> {
  const { body: begun } = await call('post', '/workflow/{workflow_id}/text-chat/sessions', {
    params: { workflow_id: agentId },
    body: {},
    timeoutMs: 120_000,
  });
  const params = { workflow_id: agentId, run_id: begun.workflow_run_id };
  const listeners = new Set<() => void>();
  const seen = new Set<string>();
  let view: CallView = afterMessage(emptyView, { type: 'started' }, nowMs());
  let isBusy = false;
  const change = (next: CallView): void => {
    view = next;
    for (const each of listeners) each();
  };
  const show = (message: CallMessage): void => change(afterMessage(view, message, nowMs()));

  function take(session: TextSession): void {
    for (const turn of session.session_data.turns.filter(
      ({ id, status }) => !seen.has(id) && status !== 'pending',
    )) {
      seen.add(turn.id);
      for (const event of turn.events)
        if (event['type'] !== 'rtf-user-transcription') show(event as unknown as CallMessage);
    }
    change({ ...view, isAnswering: false, isAgentSpeaking: false });
    if (session.is_completed) show({ type: 'call-ended', reason: 'released' });
  }

  async function act(request: () => Promise<{ body: TextSession }>): Promise<void> {
    if (isBusy || isOver(view)) return;
    isBusy = true;
    try {
      take((await request()).body);
    } catch (error) {
      const fault = { code: 'text', message: error instanceof ApiError ? error.message : '' };
      change(afterClose({ ...view, fault }, 1011, nowMs()));
    } finally {
      isBusy = false;
    }
  }

  take(begun);
  return {
    runId: begun.workflow_run_id,
    values: begun.initial_context,
    get: () => view,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    say: (text) => {
      if (isBusy || text.trim() === '') return;
      show({ type: 'rtf-user-transcription', payload: { text: text.trim(), final: true } });
      void act(() =>
        call('post', '/workflow/{workflow_id}/text-chat/sessions/{run_id}/messages', {
          params,
          body: { text: text.trim() },
          timeoutMs: 120_000,
        }),
      );
    },
    press: () => undefined,
    hangUp: () =>
      void act(() =>
        call('post', '/workflow/{workflow_id}/text-chat/sessions/{run_id}/end', { params, body: {} }),
      ),
    close: () => listeners.clear(),
  };
}
