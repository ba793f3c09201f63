import { CancellationScope, condition, isCancellation } from '@temporalio/workflow';
import { checkDestination, checkLeg } from './legs.ts';
import type { SpokenCall } from './spoken-call.ts';

/**
 * Watches the legs during the call: after a time without carrier events it asks the carrier whether the
 * caller's leg lives, and that of a transfer's destination, and again every half minute. So a call ends even
 * when the event of its end is lost. Returns a function that stops it.
 */
export function watchLeg(spoken: SpokenCall): () => void {
  const scope = new CancellationScope({ cancellable: true });
  scope
    .run(() => watch(spoken))
    .catch((error: unknown) => {
      if (!isCancellation(error)) throw error;
    });
  return () => scope.cancel();
}

async function watch(spoken: SpokenCall): Promise<void> {
  const { carrierQuietMs, carrierPollMs } = spoken.timing;
  let pauseMs = carrierQuietMs;
  while (!spoken.isDown) {
    if (
      await condition(() => spoken.isDown, pauseMs, {
        summary: 'Check the leg when the carrier sends no events',
      })
    )
      return;
    const quietMs = Date.now() - spoken.lastHeardMs;
    if (quietMs >= carrierQuietMs) await Promise.all([checkLeg(spoken), checkDestination(spoken)]);
    pauseMs = quietMs >= carrierQuietMs ? carrierPollMs : carrierQuietMs - quietMs;
  }
}
