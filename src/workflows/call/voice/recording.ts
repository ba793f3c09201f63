import type { RecordingActivities } from '../../../activities/recording.ts';
import { activitiesOf } from '../../proxies.ts';
import type { CallInput } from '../messages.ts';

/**
 * Makes the recording's files before the webhooks are sent (contract 9.1). A failure delays them only for a
 * limited time.
 */
export async function storeRecording({ callId, organizationId }: CallInput): Promise<void> {
  const { assembleRecording } = activitiesOf<RecordingActivities>('recording', 'Store the recording');
  await assembleRecording({ callId, organizationId }).catch(() => undefined);
}
