import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { bytesOf as bytesOfSamples } from '../../domain/audio/pcm.ts';

/** The HTTP agent of an adapter. It resumes TLS sessions, so later sockets open one round trip sooner. */
export function agentFor(url: string): HttpAgent | undefined {
  const protocol = URL.parse(url)?.protocol;
  if (protocol === 'wss:') return new HttpsAgent({ maxCachedSessions: 20 });
  return protocol === 'ws:' ? new HttpAgent() : undefined;
}

const maxWarmingMs = 3_000;

/** Resolves the name and connects once, which warms resolvers and routes. Never fails. */
export async function warmAddress(url: string): Promise<void> {
  const parsed = URL.parse(url);
  if (parsed === null || !/^wss?:$/.test(parsed.protocol)) return;
  const isTls = parsed.protocol === 'wss:';
  const host = parsed.hostname.replace(/^\[|\]$/g, '');
  const port = Number(parsed.port) || (isTls ? 443 : 80);
  await new Promise<void>((resolve) => {
    const socket: Socket = isTls
      ? connectTls({ host, port, ...(isIP(host) === 0 ? { servername: host } : {}) })
      : connectTcp({ host, port });
    const done = () => {
      socket.destroy();
      resolve();
    };
    socket.setTimeout(maxWarmingMs, done);
    socket.once(isTls ? 'secureConnect' : 'connect', done).once('error', done);
  });
}

/** Little-endian 16-bit samples, copied, so the frame may be reused. */
export function bytesOf(frame: Int16Array): Buffer {
  return Buffer.from(bytesOfSamples(frame, 'little').buffer);
}

/** The key selects an emulator. */
export function isSimulated(apiKey: string): boolean {
  return apiKey.startsWith('simulated');
}
