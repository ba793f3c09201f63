import type { CallActivities } from '../../activities/call.ts';
import { taskQueues } from '../../domain/declaration.ts';
import { endExtractions } from '../../domain/call/ending.ts';
import { activitiesOf } from '../proxies.ts';
import { startDelivery } from '../delivery/start.ts';
import { plain } from './details.ts';
import { judge } from './judge.ts';
import type { LiveCall } from './live-call.ts';
import { closeLines, hangUpLate, spokenEnd } from './voice/close.ts';
import { storeRecording } from './voice/recording.ts';
import type { SpokenCall } from './voice/spoken-call.ts';
import { showEnded, showEnding, showJudged } from './search-attributes.ts';

/**
 * The end of a call. The caller shields it from cancellation. Order (contract 9.1): whoever is on the line is
 * hung up; extractions are awaited, the record is completed in one transaction, the recording is stored, QA
 * nodes judge, then webhooks are rendered and handed over; from there on they live without this call.
 */
export async function finish(call: LiveCall, spoken: SpokenCall | null): Promise<void> {
  const { callId, organizationId, plan } = call.input;
  const reason = call.disposition ?? 'unknown';
  showEnding();
  call.move('ending');
  if (spoken !== null) await closeLines(spoken);
  const released = spoken?.seats.release();
  // An End Call node's own reading was asked for by its turn; an operator's cancel wants the end, not another
  // answer of a model.
  if (reason !== 'user_qualified' && reason !== 'system_cancelled')
    call.extractions.start(
      endExtractions({ plan, checkpoint: call.checkpoint, reason, lineCount: call.lastLineCount }),
    );
  await call.extractions.drain();
  const { done } = call.extractions;

  // An end that no turn committed is a change of its own (contract 6.10).
  const checkpoint =
    reason === 'user_qualified' || reason === 'end_call_tool'
      ? call.checkpoint
      : { ...call.checkpoint, revision: call.checkpoint.revision + 1 };
  const { finalizeCall } = activitiesOf<CallActivities>('quick', 'Complete the record of the call');
  const outcome = await finalizeCall({
    callId,
    organizationId,
    reason,
    ...(call.endReason === null ? {} : { endReason: call.endReason }),
    checkpoint,
    extractions: done.results,
    failedExtractions: done.failed,
    ...(spoken === null ? {} : { spoken: spokenEnd(spoken) }),
  });
  call.closed(checkpoint);
  showEnded({
    disposition: outcome.disposition,
    turnCount: call.turnCount,
    durationSec: outcome.durationSec,
    nodesVisited: checkpoint.nodesVisited,
    webhooks: outcome.webhooks,
    failedExtractions: done.failed.length,
  });
  // Not before the host has let go of it, which the place's end makes it do.
  await released;
  if (spoken !== null) await hangUpLate(spoken);
  if (spoken !== null) await storeRecording(call.input);
  const { qaNodes = [] } = outcome;
  // guarantee: code-comes-later-takes
  if (qaNodes.length > 0)
    showJudged({ judgments: await judge(call.input, qaNodes), failedExtractions: done.failed.length });
  if (outcome.webhooks > 0) await handOver(call);
  if (spoken !== null) await hangUpLate(spoken);
}

async function handOver(call: LiveCall): Promise<void> {
  const { callId, callUuid, organizationId, organizationUuid } = call.input;
  const { deliveryTaskQueue: taskQueue = taskQueues.delivery } = call.input;
  const { prepareDeliveries } = activitiesOf<CallActivities>('quick', 'Render the webhooks');
  const prepared = await prepareDeliveries({ callId, organizationId });
  // After an operator's reset of this Workflow a delivery may be on its way already.
  for (const { deliveryUuid, nodeName } of prepared)
    await startDelivery(
      { deliveryUuid, callUuid, organizationUuid },
      {
        taskQueue,
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        staticSummary: `Webhook ${plain(nodeName)} of call ${callId}`,
      },
    );
  call.deliveries = prepared.length;
  call.showState();
}
