import { Context } from '@temporalio/activity';
import { timeoutsMs } from '../domain/declaration.ts';
import { guarded } from '../runtime/guarded.ts';

const heartbeatMs = timeoutsMs.deliveryAttemptHeartbeat / 4;

/**
 * Heartbeats while `work` runs, so that a dead worker is detected within seconds. `signal` is the activity's
 * cancellation.
 */
export async function beating<T>(
  work: (signal: AbortSignal) => Promise<T>,
  everyMs = heartbeatMs,
): Promise<T> {
  const context = Context.current();
  const beat = setInterval(
    guarded(
      () => context.heartbeat(),
      () => undefined,
    ),
    everyMs,
  );
  try {
    return await work(context.cancellationSignal);
  } finally {
    clearInterval(beat);
  }
}
