import type { CallActivities, Finalized } from '../../../activities/call.ts';
import { endExtractions } from '../../../domain/call/ending.ts';
import { atOnce } from '../../proxies.ts';
import { judge } from '../judge.ts';
import type { LiveCall } from '../live-call.ts';
import { endLegs, hangUpLate, spokenEnd, wasAnswered } from '../voice/close.ts';
import { storeRecording } from '../voice/recording.ts';
import type { SpokenCall } from '../voice/spoken-call.ts';
import { showEnded, showEnding, showJudged } from '../search-attributes.ts';

/**
 * Finishes a call. The Workflow shields it from cancellation. Order (contract 9.1): hang up all legs, wait
 * for extractions, complete the record in one transaction, store the recording, run QA nodes, then render the
 * webhooks, which the pump sends. Without recording and QA nodes the record is completed with its webhooks.
 */
export async function finish(call: LiveCall, spoken: SpokenCall | null): Promise<void> {
  const { callId, organizationId, plan } = call.input;
  const reason = call.disposition ?? 'unknown';
  call.move('ending');
  if (spoken !== null) await endLegs(spoken);
  // An unanswered call has no stream: its record releases the seat, as the host learns with its next lease.
  const released = spoken !== null && wasAnswered(spoken) ? spoken.seats.release() : undefined;
  // The turn at an End Call node has already started that node's extraction. After an operator's cancellation
  // the call ends without another model request.
  if (reason !== 'user_qualified' && reason !== 'system_cancelled')
    call.extractions.start(
      endExtractions({ plan, checkpoint: call.checkpoint, reason, lineCount: call.lastLineCount }),
    );
  if (call.extractions.pending > 0) showEnding();
  await call.extractions.drain();
  const { done } = call.extractions;

  // The last change: the record with its disposition and extracted values (contract 6.10).
  const checkpoint = { ...call.checkpoint, revision: call.checkpoint.revision + 1 };
  const end = spoken === null ? null : spokenEnd(spoken);
  const outcome = await atOnce<CallActivities, Finalized>(
    'Complete the record of the call',
    ({ finalizeCall }) =>
      finalizeCall({
        callId,
        organizationId,
        reason,
        ...(call.endReason === null ? {} : { endReason: call.endReason }),
        checkpoint,
        extractions: done.results,
        failedExtractions: done.failed,
        ...(end === null ? {} : { spoken: end }),
      }),
  );
  call.closed(checkpoint);
  showEnded({
    disposition: outcome.disposition,
    turnCount: call.turnCount,
    durationSec: outcome.durationSec,
    nodesVisited: checkpoint.nodesVisited,
    webhooks: outcome.webhooks,
    failedExtractions: done.failed.length,
  });
  // The recording is complete only after the host has released the call's seat.
  await (released ?? (end?.answeredAt == null ? undefined : spoken?.seats.release()));
  if (spoken !== null) await hangUpLate(spoken);
  if (end?.answeredAt != null) await storeRecording(call.input);
  const { qaNodes = [] } = outcome;
  // guarantee: new-code-takes-over-live-calls
  if (qaNodes.length > 0)
    showJudged({ judgments: await judge(call.input, qaNodes), failedExtractions: done.failed.length });
  if (outcome.areWebhooksPrepared === true) call.deliveries = outcome.webhooks;
  else if (outcome.webhooks > 0) await handOver(call);
  if (spoken !== null) await hangUpLate(spoken);
}

async function handOver(call: LiveCall): Promise<void> {
  const { callId, organizationId } = call.input;
  call.deliveries = await atOnce<CallActivities, number>('Render the webhooks', ({ prepareDeliveries }) =>
    prepareDeliveries({ callId, organizationId }),
  );
}
