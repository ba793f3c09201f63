import { setTimeout as delay } from 'node:timers/promises';
import type { Behavior } from './behavior.ts';

export interface Playing {
  audio: Uint8Array;
  /** Bytes per second of audio. */
  bytesPerSecond: number;
  behavior: Behavior;
  /** Bytes per piece. */
  pieceBytes: number;
  send: (piece: Uint8Array) => void | Promise<void>;
  /** Fires when the client has left or the emulator closes. */
  left: AbortSignal;
}

export type Played = 'whole' | 'reset';

/**
 * Sends audio in pieces, with the timing and the faults of the behavior. Rejects when the client has left.
 */
export async function play({
  audio,
  bytesPerSecond,
  behavior,
  pieceBytes,
  send,
  left,
}: Playing): Promise<Played> {
  const { firstByteDelayMs, rate, fault } = behavior;
  if (firstByteDelayMs > 0) await delay(firstByteDelayMs, undefined, { signal: left });
  if (fault === 'stall_first') await forever(left);
  if (fault === 'no_audio') return 'whole';
  const begun = performance.now();
  for (let at = 0; at < audio.length; at += pieceBytes) {
    const isMiddle = at >= audio.length / 2;
    if (isMiddle && fault === 'stall_middle') await forever(left);
    if (isMiddle && fault === 'reset_middle') return 'reset';
    if (rate !== undefined)
      await delay(Math.max(0, (at / bytesPerSecond / rate) * 1000 - (performance.now() - begun)), undefined, {
        signal: left,
      });
    left.throwIfAborted();
    await send(audio.subarray(at, at + pieceBytes));
  }
  return 'whole';
}

function forever(left: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (left.aborted) reject(new Error('The client has left'));
    left.addEventListener('abort', () => reject(new Error('The client has left')), { once: true });
  });
}
