import type { CallActivities } from '../../activities/call.ts';
import { activitiesOf } from '../proxies.ts';
import { turnName } from './details.ts';
import type { CallInput } from './messages.ts';
import type { Checkpoint } from './state.ts';

/**
 * Starts a summary in the background. Nobody waits for it, also not the end of the call; one that fails
 * changes nothing.
 */
export function summarizeBeside(
  { callId, organizationId, versionId, summarizes = false }: CallInput,
  { branch, turnIndex }: Checkpoint,
): void {
  if (!summarizes) return;
  const { summarize } = activitiesOf<CallActivities>(
    'summary',
    `${turnName(turnIndex)} · summarize what was said`,
  );
  summarize({ callId, organizationId, versionId, branch, turnIndex }).catch(() => undefined);
}
