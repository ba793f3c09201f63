import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { WebSocketServer } from 'ws';
import { z } from 'zod';
import type { PersonaInput } from '../../emulators/carrier/persona.ts';
import { startCarrierEmulator, type CarrierEmulator } from '../../emulators/carrier/server.ts';
import type { SettingsInput } from '../../emulators/carrier/settings.ts';
import { readCarrierMessage } from '../../src/providers/carrier/telnyx/read-message.ts';
import { createTelnyxAccounts } from '../../src/providers/carrier/telnyx/calls.ts';
import type {
  CarrierMessage,
  CarrierPort,
  DialedLeg,
  DialRequest,
} from '../../src/providers/carrier/port.ts';
import { hostSocket, type HostSocket } from './media-host.ts';
import { until } from './until.ts';

export interface ReceivedHook {
  path: string;
  raw: Buffer;
  headers: IncomingHttpHeaders;
  at: number;
  message: CarrierMessage | null;
}

export interface CarrierBench {
  emulator: CarrierEmulator;
  carrier: CarrierPort;
  key: string;
  connectionId: string;
  hooks: ReceivedHook[];
  /** The answers to the next webhooks to this path, then 200; `silence` = no answer. */
  answerHooks(path: string, ...answers: (number | 'silence')[]): void;
  hookUrl(path: string): string;
  streamUrl(path: string): string;
  sockets: HostSocket[];
  socket(path: string): Promise<HostSocket>;
  /** Waits for a webhook of this type about this leg. */
  received(eventType: string, legId?: string): Promise<CarrierMessage>;
  dial(number: string, request?: Partial<DialRequest>): Promise<DialedLeg>;
  /** Dials a persona that answers at once and then runs these steps. */
  talkTo(
    steps: PersonaInput['steps'],
    request?: Partial<DialRequest> & { persona?: Partial<PersonaInput> },
  ): Promise<{ leg: DialedLeg; socket: HostSocket; number: string }>;
  close(): Promise<void>;
}

let numbers = 0;
export const freshNumber = (): string => `+1555${String((numbers += 1)).padStart(7, '7')}`;

/** The emulator with the real adapter, a receiver of webhooks, and a media host. The caller closes it. */
export async function startCarrierBench({
  settings = {},
  timeoutMs = 60_000,
  acceptsAfterMs = 0,
}: { settings?: SettingsInput; timeoutMs?: number; acceptsAfterMs?: number } = {}): Promise<CarrierBench> {
  const emulator = await startCarrierEmulator({ settings });
  const hooks: ReceivedHook[] = [];
  const hookAnswers = new Map<string, (number | 'silence')[]>();
  const receiver = createServer((req, res) => {
    const parts: Buffer[] = [];
    req.on('data', (part: Buffer) => parts.push(part));
    req.on('end', () => {
      const raw = Buffer.concat(parts);
      hooks.push({
        path: req.url ?? '',
        raw,
        headers: req.headers,
        at: Date.now(),
        message: readCarrierMessage(raw),
      });
      const answer = hookAnswers.get(req.url ?? '')?.shift() ?? 200;
      if (answer !== 'silence') res.writeHead(answer).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const host = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    verifyClient: (_, accept) => setTimeout(() => accept(true), acceptsAfterMs),
  });
  await new Promise((resolve) => host.once('listening', resolve));
  const sockets: HostSocket[] = [];
  host.on('connection', (socket, request) => sockets.push(hostSocket(socket, request.url ?? '')));
  const hookUrl = (path: string): string => `http://127.0.0.1:${portOf(receiver)}/${path}`;
  const streamUrl = (path: string): string => `ws://127.0.0.1:${portOf(host)}/${path}`;
  const key = `simulated-${randomUUID()}`;
  const carrierWith = (limits: { timeoutMs?: number }) =>
    createTelnyxAccounts({ baseUrl: emulator.url, simulated: true, ...limits })(key);
  const carrier = carrierWith({ timeoutMs });
  const { connectionId } = await carrierWith({}).createApplication({
    name: 'bench',
    webhookUrl: hookUrl('inbound'),
  });
  const socketOf = async (path: string) =>
    await until(`a media socket at ${path}`, () =>
      Promise.resolve(sockets.find((each) => each.path === `/${path}`)),
    );
  const dial: CarrierBench['dial'] = async (to, request = {}) =>
    await carrier.dial({
      connectionId,
      from: '+15550001111',
      to,
      clientState: `state ${randomUUID()}`,
      commandId: randomUUID(),
      stream: null,
      webhookUrl: hookUrl('events'),
      ringTimeoutSeconds: 30,
      timeLimitSeconds: 600,
      answeringMachineDetection: 'disabled',
      sendSilenceWhenIdle: true,
      ...request,
    });
  return {
    emulator,
    carrier,
    key,
    connectionId,
    hooks,
    answerHooks: (path, ...answers) => hookAnswers.set(`/${path}`, answers),
    hookUrl,
    streamUrl,
    sockets,
    socket: socketOf,
    received: async (eventType, legId) =>
      await until(eventType, () =>
        Promise.resolve(
          hooks
            .map(({ message }) => message)
            .find(
              (each): each is CarrierMessage =>
                each !== null &&
                each.eventType === eventType &&
                (legId === undefined || each.leg.legId === legId),
            ),
        ),
      ),
    dial,
    talkTo: async (steps, { persona, ...request } = {}) => {
      const number = freshNumber();
      const path = randomUUID();
      emulator.persona(number, {
        name: 'test',
        detectedAs: null,
        ...persona,
        steps: [{ do: 'answer' }, ...steps],
      });
      const leg = await dial(number, { stream: { url: streamUrl(path) }, ...request });
      const socket = await socketOf(path);
      await until('start', () => Promise.resolve(socket.frames.some(({ event }) => event === 'start')));
      return { leg, socket, number };
    },
    close: async () => {
      await emulator.close();
      for (const client of host.clients) client.terminate();
      await new Promise<void>((resolve) => host.close(() => resolve()));
      receiver.closeAllConnections();
      await new Promise<void>((resolve) => receiver.close(() => resolve()));
    },
  };
}

function portOf(server: { address(): unknown }): number {
  return z.object({ port: z.number() }).parse(server.address()).port;
}
