import type { CallActivities } from '../../activities/call.ts';
import { activitiesOf } from '../proxies.ts';
import { turnName } from './details.ts';
import type { CallInput } from './messages.ts';
import type { Checkpoint } from './state.ts';

/**
 * Starts a summary in the background. Nothing waits for it, not even the end of the call, and a failed one
 * changes nothing.
 */
export function summarizeInBackground(
  { callId, organizationId, versionId, summarizes = false }: CallInput,
  { branch, turnIndex }: Checkpoint,
): void {
  if (!summarizes) return;
  const { summarize } = activitiesOf<CallActivities>(
    'summary',
    `${turnName(turnIndex)} · summarize the conversation`,
  );
  summarize({ callId, organizationId, versionId, branch, turnIndex }).catch(() => undefined);
}
