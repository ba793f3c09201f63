import type { RecordingActivities } from '../../../activities/recording.ts';
import { activitiesOf } from '../../proxies.ts';
import type { CallInput } from '../messages.ts';

/**
 * Makes the recording's files before anybody is told of the call (contract 9.1). One that cannot be made
 * holds nobody up for long.
 */
export async function storeRecording({ callId, organizationId }: CallInput): Promise<void> {
  const { assembleRecording } = activitiesOf<RecordingActivities>('recording', 'Store the recording');
  await assembleRecording({ callId, organizationId }).catch(() => undefined);
}
