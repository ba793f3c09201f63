import type { WorkflowRun } from '../../../contract/calls.ts';
import { findRow } from '../../../db/rows.ts';
import { calls, type CallRow } from '../../../db/tables/calls.ts';
import { NotFoundError } from '../../../domain/errors.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { judgedAgain } from '../records/judged-again.ts';
import { soFar } from './live.ts';
import { toWorkflowRun } from '../records/mapper.ts';
import { withPublicToken } from '../records/public-access.ts';
import { soundFacts } from '../records/sound-facts.ts';
import { statusCallbacks } from '../records/status-callbacks.ts';

/**
 * Reads one call of that agent (contract 6.2). This read gives a call with an artifact its public token
 * (6.9). Throws NotFoundError.
 */
export async function getCall({
  ctx,
  publicUrl,
  input,
}: {
  ctx: ServiceContext;
  publicUrl: string;
  input: { agentId: number; callId: number };
}): Promise<WorkflowRun> {
  const where = { id: input.callId, agentId: input.agentId, organizationId: ctx.organizationId };
  const call = await findRow(ctx.db, calls, where);
  if (call === null) throw new NotFoundError('Workflow run not found');
  const run = toWorkflowRun(await withPublicToken(ctx, call), publicUrl, await judgedAgain(ctx, call));
  if (call.channel === 'text') return run;
  // What an ended call has come to is in its record.
  const shown = run.is_completed ? run : { ...run, ...(await liveFacts(ctx, call)) };
  const logs = shown.logs ?? {};
  return { ...shown, logs: { ...logs, ...(await soundFacts(ctx, call, logs)) } };
}

/** What a spoken call that goes on has come to so far (contract 6.7). */
async function liveFacts(ctx: ServiceContext, call: CallRow) {
  const told = await statusCallbacks(ctx.db, { callId: call.id, organizationId: call.organizationId });
  const { gathered, events } = await soFar(ctx, call);
  return {
    gathered_context: gathered,
    logs: {
      ...call.logs,
      ...(told.length === 0 ? {} : { telephony_status_callbacks: told }),
      ...(events.length === 0 ? {} : { realtime_feedback_events: events }),
    },
  };
}
