import { log } from '@temporalio/workflow';
import { isCancelledCall, rootOf } from '../failures.ts';
import { connect } from './connect.ts';
import type { SpokenCall } from './spoken-call.ts';
import { talk } from './talk.ts';
import { waitForTransferEnd } from './transfer.ts';
import { watchLine } from './watch.ts';

/**
 * A call that is spoken, from admission to its reason to end. A fault of ours ends it too: somebody is on the
 * line.
 */
export async function converseBySpeech(spoken: SpokenCall): Promise<void> {
  const stop = spoken.isPhone ? watchLine(spoken) : () => undefined;
  try {
    if (await connect(spoken)) await talk(spoken);
    if (spoken.isTransferred) await waitForTransferEnd(spoken);
  } catch (error) {
    if (isCancelledCall(error)) throw error;
    log.error('A spoken call broke', { fault: rootOf(error).message });
    spoken.end('unexpected_error', { retryClass: 'provider' });
  } finally {
    stop();
  }
}
