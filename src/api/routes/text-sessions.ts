import type { ServiceContext } from '../../services/kernel/index.ts';
import {
  createTextSession,
  endTextSession,
  getTextSession,
  KeptTurns,
  rewindTextSession,
  sendMessage,
} from '../../services/calls/index.ts';
import { createFarFromQuota } from '../../services/models/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Handlers } from '../bind.ts';

type TextSessionRoute =
  | 'createTextSession'
  | 'getTextSession'
  | 'sendTextMessage'
  | 'rewindTextSession'
  | 'endTextSession';

/** Dependencies of these routes besides the caller's context. */
export interface TextSessionRouteDeps {
  deps: Pick<TextSessionDeps, 'calls'>;
  quotas?: TextSessionDeps['quotas'];
  clock: Clock;
}

type TextSessionDeps = Parameters<typeof createTextSession>[0]['deps'];

/** Text sessions (contract 6.10). */
export function textSessionHandlers({
  deps: { calls },
  quotas,
  clock,
}: TextSessionRouteDeps): Pick<Handlers<ServiceContext>, TextSessionRoute> {
  const deps = { calls, quotas, far: createFarFromQuota(clock), turns: new KeptTurns() };
  return {
    createTextSession: ({ ctx, input: { params, body } }) =>
      createTextSession({
        ctx,
        deps,
        input: {
          agentId: params.workflow_id,
          name: body.name ?? undefined,
          initialContext: body.initial_context ?? {},
          annotations: body.annotations ?? {},
        },
      }),
    getTextSession: ({ ctx, input: { params } }) =>
      getTextSession({ ctx, input: { agentId: params.workflow_id, callId: params.run_id } }),
    sendTextMessage: ({ ctx, input: { params, body, headers } }) =>
      sendMessage({
        ctx,
        deps,
        input: {
          agentId: params.workflow_id,
          callId: params.run_id,
          text: body.text,
          expectedRevision: body.expected_revision ?? undefined,
          idempotencyKey: headers['Idempotency-Key'],
        },
      }),
    rewindTextSession: ({ ctx, input: { params, body, headers } }) =>
      rewindTextSession({
        ctx,
        deps,
        input: {
          agentId: params.workflow_id,
          callId: params.run_id,
          cursorTurnUuid: body.cursor_turn_id ?? null,
          expectedRevision: body.expected_revision ?? undefined,
          idempotencyKey: headers['Idempotency-Key'],
        },
      }),
    endTextSession: ({ ctx, input: { params, body, headers } }) =>
      endTextSession({
        ctx,
        deps,
        input: {
          agentId: params.workflow_id,
          callId: params.run_id,
          expectedRevision: body.expected_revision ?? undefined,
          idempotencyKey: headers['Idempotency-Key'],
        },
      }),
  };
}
