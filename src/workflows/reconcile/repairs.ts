import type {
  LostDelivery,
  LostImport,
  ReconcileActivities,
  OrphanedCall,
  UnpacedCampaign,
  UnsentCall,
} from '../../activities/reconcile.ts';
import type { PreparedDelivery } from '../../activities/call.ts';
import type { RecordingActivities } from '../../activities/recording.ts';
import { plain } from '../call/details.ts';
import { startDelivery } from '../delivery/start.ts';
import { activitiesOf } from '../proxies.ts';

/** Ends a call that says it goes on, and sends its webhooks. */
export async function closeOrphanedCall(stray: OrphanedCall): Promise<void> {
  const { closeOrphanedCall: close } = activitiesOf<ReconcileActivities>(
    'quick',
    `Close call ${stray.callId}`,
  );
  await startDeliveries(stray, await close(stray));
}

/** Sends the webhooks of a call that ended without them. */
export async function handOver(call: UnsentCall): Promise<void> {
  const { prepareUnsent } = activitiesOf<ReconcileActivities>(
    'quick',
    `Render the webhooks of call ${call.callId}`,
  );
  await startDeliveries(call, await prepareUnsent(call));
}

/**
 * Goes on with a delivery that nothing runs: at once, then by the schedule from its beginning, as one that is
 * sent again by hand.
 */
export async function restart({
  deliveryUuid,
  callUuid,
  organizationUuid,
  ...ref
}: LostDelivery): Promise<void> {
  const { restartDelivery } = activitiesOf<ReconcileActivities>(
    'quick',
    `Start webhook ${ref.deliveryId} again`,
  );
  const next = await restartDelivery({ deliveryUuid, callUuid, organizationUuid, ...ref });
  if (next === null) return;
  await startDelivery(
    { deliveryUuid, callUuid, organizationUuid, startedAttempt: next.attempt },
    { workflowIdReusePolicy: 'ALLOW_DUPLICATE', staticSummary: 'Webhook, started again: nothing ran it' },
  );
}

/** Makes the files of a recording that lies in pieces. Tried once: the next pass tries again. */
export async function join({
  callId,
  organizationId,
}: {
  callId: number;
  organizationId: number;
}): Promise<void> {
  const { assembleRecording } = activitiesOf<RecordingActivities>(
    'recording',
    `Store the recording of call ${callId}`,
    { retry: { maximumAttempts: 1 } },
  );
  await assembleRecording({ callId, organizationId });
}

/** Lets a campaign go on that nothing paces. */
export async function pace(campaign: UnpacedCampaign): Promise<void> {
  await activitiesOf<ReconcileActivities>('quick', `Pace campaign ${campaign.campaignId} again`).paceAgain(
    campaign,
  );
}

/** Makes an import that nothing makes. */
export async function importFrom(lost: LostImport): Promise<void> {
  await activitiesOf<ReconcileActivities>('quick', `Import directory ${lost.directoryId} again`).importAgain(
    lost,
  );
}

async function startDeliveries(
  { callId, callUuid, organizationUuid }: UnsentCall,
  prepared: PreparedDelivery[],
): Promise<void> {
  for (const { deliveryUuid, nodeName } of prepared) {
    // What the call had handed over before its Workflow was ended is known to Temporal.
    await startDelivery(
      { deliveryUuid, callUuid, organizationUuid },
      {
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        staticSummary: `Webhook ${plain(nodeName)} of call ${callId}`,
      },
    );
  }
}
