import { log } from '@temporalio/workflow';
import { isCancelledCall, rootOf } from '../failures.ts';
import { connect } from './connect.ts';
import type { SpokenCall } from './spoken-call.ts';
import { talk } from './talk.ts';
import { waitForTransferEnd } from './transfer.ts';
import { watchLeg } from './watch.ts';

/**
 * Runs a spoken call from its admission to its end. An internal fault ends it, too, because a person is in
 * it.
 */
export async function converseBySpeech(spoken: SpokenCall): Promise<void> {
  const stop = spoken.isPhone ? watchLeg(spoken) : () => undefined;
  try {
    if (await connect(spoken)) await talk(spoken);
    if (spoken.isTransferred) await waitForTransferEnd(spoken);
  } catch (error) {
    if (isCancelledCall(error)) throw error;
    log.error('A spoken call failed', { fault: rootOf(error).message });
    spoken.end('unexpected_error', { retryClass: 'provider' });
  } finally {
    stop();
  }
}
