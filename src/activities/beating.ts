import { Context } from '@temporalio/activity';
import { timeoutsMs } from '../domain/declaration.ts';

const heartbeatMs = timeoutsMs.deliveryAttemptHeartbeat / 4;

/**
 * Heartbeats while `work` runs, so that a dead worker is detected within seconds. `signal` is the activity's
 * cancellation.
 */
export async function beating<T>(
  work: (signal: AbortSignal) => Promise<T>,
  everyMs = heartbeatMs,
): Promise<T> {
  const { cancellationSignal } = Context.current();
  const beat = setInterval(() => Context.current().heartbeat(), everyMs);
  try {
    return await work(cancellationSignal);
  } finally {
    clearInterval(beat);
  }
}
