import { setCurrentDetails } from '@temporalio/workflow';
import type { ErasureActivities } from '../../activities/erasure.ts';
import { activitiesOf } from '../proxies.ts';
import { keyword, showAttributes } from '../search-attributes.ts';

/** Which call to erase. Only ids: this history outlives the call's data. */
export interface EraseCallInput {
  callId: number;
  callUuid: string;
  organizationId: number;
  organizationUuid: string;
}

/** Erases one ended call. Its own history is not part of the call, so it stays until Temporal deletes it. */
export async function eraseCallWorkflow({ organizationUuid, ...call }: EraseCallInput): Promise<void> {
  showAttributes([keyword('OrgId', organizationUuid)]);
  await activitiesOf<ErasureActivities>('erasure', 'Erase the call').eraseRequestedCall(call);
  setCurrentDetails('**Erased**.');
}
