import { connect, type Socket } from 'node:net';
import type { Address } from './address.ts';

/**
 * A socket to the server that fails after `silenceMs` without traffic, so that a hanging server or a network
 * that drops packets counts as unavailable. An idle connection of the pool ends too and is replaced.
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
