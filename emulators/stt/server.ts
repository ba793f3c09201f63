import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { z } from 'zod';
import { guarded } from '../../src/runtime/guarded.ts';
import { Connection, type Dialect } from './connection.ts';
import { FaultBook, FaultList } from './faults.ts';
import { ConnectionLog, type ConnectionEntry } from './log.ts';
import { openAiDialect } from './openai.ts';
import { telnyxDialect } from './telnyx.ts';

/**
 * Simulates speech recognition with two vendors' protocols over real WebSockets (README.md in this folder).
 * It recognizes only the modem of `emulators/modem`, so it never hears words that the audio does not contain.
 * It accepts only keys that begin with `simulated`.
 */
export interface SttEmulator {
  /** Telnyx's protocol. */
  telnyxUrl: string;
  /** OpenAI's protocol. */
  openAiUrl: string;
  /** For tests and monitoring: `/health`, `/emulator/log`, `/emulator/faults`. */
  httpUrl: string;
  faults: FaultBook;
  log: ConnectionLog;
  /** Connections that are open. */
  connections(): number;
  close(): Promise<void>;
}

const telnyxPath = '/v2/speech-to-text/transcription';
const openAiPath = '/v1/realtime';

/** Starts listening, by default on the loopback; port 0 takes a free one. */
export async function startSttEmulator({
  host = '127.0.0.1',
  port = 0,
}: { host?: string; port?: number } = {}): Promise<SttEmulator> {
  const faults = new FaultBook();
  const log = new ConnectionLog();
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const server = createServer(
    guarded(
      (req: IncomingMessage, res: ServerResponse) => answer({ req, res, faults, log }),
      (_error, _req, res) => res.destroy(),
    ),
  );
  const upgrade = (req: IncomingMessage, stream: Duplex, head: Buffer): void => {
    const asked = admit(req, { faults, log });
    if (asked.kind === 'refused')
      stream.end(`HTTP/1.1 ${asked.status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () =>
        stream.destroy(),
      );
    else sockets.handleUpgrade(req, stream, head, (socket) => new Connection({ socket, ...asked }));
  };
  server.on(
    'upgrade',
    guarded(upgrade, (_error, _req, stream) => stream.destroy()),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  const address = server.address();
  const place = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}`;
  return {
    telnyxUrl: `ws://${place}${telnyxPath}`,
    openAiUrl: `ws://${place}${openAiPath}`,
    httpUrl: `http://${place}`,
    faults,
    log,
    connections: () => sockets.clients.size,
    close: () =>
      new Promise((resolve) => {
        for (const client of sockets.clients) client.terminate();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Books {
  faults: FaultBook;
  log: ConnectionLog;
}

type Admission =
  | { kind: 'refused'; status: number }
  | { kind: 'admitted'; entry: ConnectionEntry; fault: ReturnType<FaultBook['find']>; dialect: Dialect };

function admit(req: IncomingMessage, { faults, log }: Books): Admission {
  const url = new URL(req.url ?? '/', 'http://emulator');
  const protocol = protocolOf(url);
  if (protocol === null) return { kind: 'refused', status: 404 };
  const key = /^Bearer (\S+)$/i.exec(req.headers.authorization ?? '')?.[1];
  if (key === undefined || !key.startsWith('simulated')) return { kind: 'refused', status: 401 };
  const nth = log.countConnection(key);
  const fault = faults.find(key, nth);
  if (fault?.kind === 'refused') return { kind: 'refused', status: fault.status ?? 503 };
  const entry = log.open({ key, nth, protocol });
  return {
    kind: 'admitted',
    entry,
    fault,
    dialect: protocol === 'telnyx' ? telnyxDialect(url.searchParams) : openAiDialect(),
  };
}

function protocolOf({ pathname, searchParams }: URL): 'telnyx' | 'openai' | null {
  if (pathname === telnyxPath) return 'telnyx';
  return pathname === openAiPath && searchParams.get('intent') === 'transcription' ? 'openai' : null;
}

const SetFaults = z.strictObject({ scope: z.string().min(1), faults: FaultList });

async function answer({
  req,
  res,
  faults,
  log,
}: Books & { req: IncomingMessage; res: ServerResponse }): Promise<void> {
  const url = new URL(req.url ?? '/', 'http://emulator');
  const scope = url.searchParams.get('scope') ?? undefined;
  const send = (status: number, body: unknown) =>
    void res
      .writeHead(status, { 'content-type': 'application/json', 'x-parlance-simulated': 'true' })
      .end(JSON.stringify(body));
  switch (`${req.method} ${url.pathname}`) {
    case 'GET /health':
      return send(200, { status: 'ok', simulated: true });
    case 'GET /emulator/log':
      return send(200, { entries: log.entries(scope) });
    case 'DELETE /emulator/log':
      log.clear(scope);
      return send(200, { cleared: true });
    case 'POST /emulator/faults': {
      const parsed = SetFaults.safeParse(await readJson(req));
      if (!parsed.success) return send(400, { error: z.prettifyError(parsed.error) });
      faults.set(parsed.data.scope, parsed.data.faults);
      return send(201, { faults: parsed.data.faults.length });
    }
    case 'DELETE /emulator/faults':
      faults.clear(scope);
      return send(200, { cleared: true });
    default:
      return send(404, { error: 'There is nothing here.' });
  }
}

async function readJson(req: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of req) parts.push(Buffer.from(part));
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    return undefined;
  }
}
