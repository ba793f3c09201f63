import type {
  LostDelivery,
  LostImport,
  ReconcileActivities,
  OrphanedCall,
  UnpacedCampaign,
  UnsentCall,
} from '../../activities/reconcile.ts';
import type { RecordingActivities } from '../../activities/recording.ts';
import { startDelivery } from '../delivery/start.ts';
import { activitiesOf } from '../proxies.ts';

/** Ends an orphaned call and renders its webhooks, which the pump sends. */
export async function closeOrphanedCall(call: OrphanedCall): Promise<void> {
  const { closeOrphanedCall: close } = activitiesOf<ReconcileActivities>(
    'quick',
    `Close call ${call.callId}`,
  );
  await close(call);
}

/** Renders the webhooks of a call that ended without them. */
export async function handOver(call: UnsentCall): Promise<void> {
  const { prepareUnsent } = activitiesOf<ReconcileActivities>(
    'quick',
    `Render the webhooks of call ${call.callId}`,
  );
  await prepareUnsent(call);
}

/**
 * Restarts a delivery that no Workflow runs: at once, then by the whole schedule, as after a manual resend.
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
    { workflowIdReusePolicy: 'ALLOW_DUPLICATE', staticSummary: 'Webhook, restarted by reconciliation' },
  );
}

/**
 * Makes the files of a recording that is still in pieces. There is one attempt; the next pass makes another.
 */
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

/** Restarts a campaign that no Workflow paces. */
export async function pace(campaign: UnpacedCampaign): Promise<void> {
  await activitiesOf<ReconcileActivities>('quick', `Start campaign ${campaign.campaignId} again`).paceAgain(
    campaign,
  );
}

/** Restarts an import that no Workflow runs. */
export async function importFrom(lost: LostImport): Promise<void> {
  await activitiesOf<ReconcileActivities>('quick', `Import directory ${lost.directoryId} again`).importAgain(
    lost,
  );
}
