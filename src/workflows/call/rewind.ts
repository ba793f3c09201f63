import { CancellationScope } from '@temporalio/workflow';
import type { CallActivities, Rewound } from '../../activities/call.ts';
import { activitiesOf } from '../proxies.ts';
import { unknownTurn } from './failures.ts';
import type { CallInput } from './messages.ts';
import type { Checkpoint } from './state.ts';

export interface Rewind {
  input: CallInput;
  checkpoint: Checkpoint;
  cursorTurnUuid: string | null;
  failures: number;
}

/**
 * Commits a rewind and returns the new checkpoint. Once begun, it is not cancelled, so that MySQL and the
 * Workflow agree.
 */
export async function rewind({
  input,
  checkpoint,
  cursorTurnUuid,
  failures,
}: Rewind): Promise<Extract<Rewound, { kind: 'rewound' }>> {
  const { callId, organizationId } = input;
  const { rewindSession } = activitiesOf<CallActivities>(
    'quick',
    `Rewind · commit revision ${checkpoint.revision + 1}`,
  );
  const rewound = await CancellationScope.nonCancellable(() =>
    rewindSession({ callId, organizationId, checkpoint, cursorTurnUuid, failures }),
  );
  if (rewound.kind === 'unknown_turn') throw unknownTurn();
  return rewound;
}
