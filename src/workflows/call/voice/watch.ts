import { CancellationScope, condition, isCancellation } from '@temporalio/workflow';
import { pollLine } from './line.ts';
import type { SpokenCall } from './spoken-call.ts';

/**
 * Beside the call: a line of which nothing was heard for a while is asked for at the carrier, and again each
 * half minute. So a lost notice of its end does not keep a call for ever. Returns how to stop it.
 */
export function watchLine(spoken: SpokenCall): () => void {
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
        summary: 'Ask for the line when nothing is heard of it',
      })
    )
      return;
    const quietMs = Date.now() - spoken.lastHeardMs;
    if (quietMs >= carrierQuietMs) await pollLine(spoken);
    pauseMs = quietMs >= carrierQuietMs ? carrierPollMs : carrierQuietMs - quietMs;
  }
}
