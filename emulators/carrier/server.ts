import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Accounts } from './account.ts';
import { answerApi, type ApiParts } from './api.ts';
import { Arrangements, type ArrangementInput } from './arranged.ts';
import { CommandMemory } from './command-memory.ts';
import { Conferences } from './conference.ts';
import { callIn, control, Inbound, type InboundInput } from './control.ts';
import { DialBook } from './dial.ts';
import { readJson, sendJson, sendProblem } from './http.ts';
import { LegBook } from './leg-book.ts';
import type { Leg } from './leg.ts';
import { CarrierLog } from './log.ts';
import { createMediaClock } from './media-clock.ts';
import { PersonaBook } from './persona-book.ts';
import type { PersonaInput } from './persona.ts';
import { Problem } from './problems.ts';
import { Settings, type SettingsInput } from './settings.ts';
import { createSigningKey } from './signing-key.ts';
import { WebhookSender } from './webhooks.ts';
import type { World } from './world.ts';

export interface CarrierEmulatorOptions {
  host?: string;
  /** 0 = a free one. */
  port?: number;
  settings?: SettingsInput;
  /** The signing key is derived from it; a new key at each start when absent. */
  keySeed?: string | undefined;
  /** Every log entry is also appended to this file as a line of JSON. */
  logFile?: string | undefined;
  /** Account objects are stored here across restarts. */
  stateFile?: string | undefined;
}

/**
 * Simulates the carrier with its protocols over real sockets (README.md in this folder): REST, signed
 * webhooks, and the media socket in real time. The people at the other end follow personas and hear what was
 * actually played to them.
 */
export interface CarrierEmulator {
  /** Base URL for the carrier's SDK: `http://127.0.0.1:<port>/v2`. */
  url: string;
  /** Base64 of the key that webhooks are signed with. */
  publicKey: string;
  settings: Settings;
  log: CarrierLog;
  /** Sets the persona for a number; of several, each call gets the next one, and the last one stays. */
  persona(number: string, ...personas: PersonaInput[]): void;
  /** Arranges a fault for the next commands of a kind. */
  arrange(arrangement: ArrangementInput): void;
  /** An incoming call to one of our numbers. */
  callIn(call: InboundInput): Leg;
  legs(): Leg[];
  /** How often each number has rung. */
  rung(): Record<string, number>;
  /** Ends every call and stops. */
  close(): Promise<void>;
}

export async function startCarrierEmulator({
  host = '127.0.0.1',
  port = 0,
  settings: given = {},
  keySeed,
  logFile,
  stateFile,
}: CarrierEmulatorOptions = {}): Promise<CarrierEmulator> {
  const settings = Settings.parse(given);
  const closing = new AbortController();
  const log = new CarrierLog(logFile);
  const key = createSigningKey(keySeed);
  const world: World = {
    settings,
    key,
    log,
    accounts: new Accounts(stateFile),
    webhooks: new WebhookSender({ settings, key, log, closing: closing.signal }),
    personas: new PersonaBook(),
    legs: new LegBook(() => clock.wake()),
    conferences: new Conferences(),
  };
  const clock = createMediaClock((at) => {
    for (const leg of world.legs.live()) leg.frame(at);
    return world.legs.live().length > 0;
  });
  const parts: ApiParts = {
    world,
    dials: new DialBook(),
    memory: new CommandMemory(settings.commandMemoryMs),
    arrangements: new Arrangements(),
  };
  // Longer than a client keeps a connection: a command on one that is just being closed would be lost.
  const server = createServer({ keepAliveTimeout: 75_000 }, (req, res) => void handle(parts, req, res));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  const address = server.address();
  const actualPort = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${actualPort}/v2`,
    publicKey: key.publicKey,
    settings,
    log,
    persona: (number, ...personas) => world.personas.set(number, personas),
    arrange: (arrangement) => parts.arrangements.add(arrangement),
    callIn: (call) => callIn(world, Inbound.parse(call)),
    legs: () => world.legs.live(),
    rung: () => parts.dials.rung(),
    close: async () => {
      closing.abort();
      clock.stop();
      for (const leg of world.legs.live()) leg.end('unspecified', 'unknown');
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      await log.close();
    },
  };
}

async function handle(parts: ApiParts, req: IncomingMessage, res: ServerResponse): Promise<void> {
  res.setHeader('x-parlance-simulated', 'true');
  try {
    const url = new URL(req.url ?? '/', 'http://emulator');
    if (url.pathname.startsWith('/v2/')) return await answerApi(parts, req, res);
    if (url.pathname === '/health') return sendJson(res, 200, { status: 'ok', simulated: true });
    const answer = control(parts, {
      method: req.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      body: await readJson(req),
    });
    if (answer === undefined) throw new Problem('10005');
    sendJson(res, 200, answer);
  } catch (error) {
    sendProblem(res, error);
  }
}
