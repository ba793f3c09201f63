import { connect, type Socket } from 'node:net';
import type { Address } from './address.ts';

/**
 * A socket to the server that ends when nothing moves on it for `silenceMs`: a server that hangs, or a
 * network that swallows packets, is then away like one that refuses. A connection of the pool that merely
 * rests ends too and is made anew.
 */
export function watchedSocket(place: Address['place'], silenceMs: number | null): Socket {
  const socket = 'socketPath' in place ? connect(place.socketPath) : connect(place);
  socket.setNoDelay(true);
  socket.setKeepAlive(true, 10_000);
  if (silenceMs !== null) socket.setTimeout(silenceMs, () => socket.destroy(new SilentServerError()));
  return socket;
}

class SilentServerError extends Error {
  override readonly name = 'SilentServerError';
  readonly code = 'ETIMEDOUT';

  constructor() {
    super('MySQL has not answered in time');
  }
}
