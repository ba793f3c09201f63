import { get } from 'node:http';
import { networkInterfaces } from 'node:os';
import { guarded } from './guarded.ts';

/** The path at which the health server of a process says which process it is. */
export const identityPath = '/identity';

/** What a process answers to the question which one it is. */
export type Identity =
  | { kind: 'answered'; id: string }
  /** Nothing listens at the address. */
  | { kind: 'refused' }
  | { kind: 'silent' }
  /** The asking process itself had no processor time, so a missing answer means nothing. */
  | { kind: 'unknown' };

/** A timer that fires this late says that this process had no processor time. */
const maxTimerLagMs = 250;

/** Asks the process at the address of its health server who it is. Never rejects. */
export async function readIdentity(baseUrl: string, limitMs = 1000): Promise<Identity> {
  const sinceMs = performance.now();
  const { promise, resolve } = Promise.withResolvers<Identity>();
  const request = get(new URL(identityPath, baseUrl), { agent: false }, (response) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (part: string) => (text += part));
    const silent = () => resolve({ kind: 'silent' });
    response.on(
      'end',
      guarded(() => resolve({ kind: 'answered', id: idIn(text) }), silent),
    );
    response.on('error', silent);
  });
  request.on('error', (error: NodeJS.ErrnoException) =>
    resolve({ kind: error.code === 'ECONNREFUSED' ? 'refused' : 'silent' }),
  );
  const timer = setTimeout(() => {
    const isLate = performance.now() - sinceMs > limitMs + maxTimerLagMs;
    resolve({ kind: isLate ? 'unknown' : 'silent' });
  }, limitMs);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    request.destroy();
  }
}

/** The id in an answer; empty if another server answered. */
function idIn(text: string): string {
  try {
    const answer: unknown = JSON.parse(text);
    const isOurs = typeof answer === 'object' && answer !== null && 'id' in answer;
    return isOurs && typeof answer.id === 'string' ? answer.id : '';
  } catch {
    return '';
  }
}

/** The URL at which other processes reach a port of this one. */
export function ownUrl(listensOn: string, port: number): string {
  const isEvery = ['', '0.0.0.0', '::'].includes(listensOn);
  const host = isEvery ? (outwardAddress() ?? '127.0.0.1') : listensOn;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function outwardAddress(): string | undefined {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return addresses.find(({ internal, family }) => !internal && family === 'IPv4')?.address;
}
