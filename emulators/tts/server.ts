import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { OpenAiError } from '../llm/openai-error.ts';
import { BehaviorBook, BehaviorList } from './behavior.ts';
import { startGoogle } from './google.ts';
import { RequestLog } from './log.ts';
import { speak, type SpeechContext } from './openai.ts';

/**
 * Simulates two vendors' voices with their real protocols (README.md in this folder). It speaks the modem of
 * `emulators/modem`, so that the audio itself contains the text.
 */
export interface TtsEmulator {
  /** For Google's client: `http://127.0.0.1:<port>`, gRPC. */
  googleUrl: string;
  /** Base URL for an OpenAI client. */
  openAiUrl: string;
  /** For tests and monitoring: `/health`, `/emulator/log`, `/emulator/behaviors`. */
  httpUrl: string;
  behaviors: BehaviorBook;
  log: RequestLog;
  close(): Promise<void>;
}

export interface TtsEmulatorOptions {
  host?: string;
  /** The HTTP port; 0 takes a free one. */
  port?: number;
  /** The gRPC port. */
  googlePort?: number;
  /** Google streams without input for this time are aborted. */
  idleMs?: number;
  /** Idle HTTP connections are closed after this time. Absent = after Node's five seconds. */
  keepAliveMs?: number;
}

export async function startTtsEmulator({
  host = '127.0.0.1',
  port = 0,
  googlePort = 0,
  idleMs = 5_000,
  keepAliveMs,
}: TtsEmulatorOptions = {}): Promise<TtsEmulator> {
  const closing = new AbortController();
  const context: SpeechContext = {
    behaviors: new BehaviorBook(),
    log: new RequestLog(),
    closing: closing.signal,
  };
  const google = await startGoogle({ ...context, host, port: googlePort, idleMs });
  const server = createServer(
    keepAliveMs === undefined ? {} : { keepAliveTimeout: keepAliveMs },
    (req, res) => void handle(req, res, context),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  const address = server.address();
  const httpUrl = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}`;
  return {
    googleUrl: google.url,
    openAiUrl: `${httpUrl}/v1`,
    httpUrl,
    behaviors: context.behaviors,
    log: context.log,
    close: () =>
      new Promise((resolve) => {
        closing.abort();
        google.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function handle(req: IncomingMessage, res: ServerResponse, context: SpeechContext): Promise<void> {
  res.setHeader('x-parlance-simulated', 'true');
  try {
    await route(req, res, context);
  } catch (error) {
    const refusal =
      error instanceof OpenAiError
        ? error
        : new OpenAiError(500, `The emulator itself failed: ${String(error)}`);
    if (!res.headersSent) sendJson(res, refusal.status, refusal.body());
  }
}

async function route(req: IncomingMessage, res: ServerResponse, context: SpeechContext): Promise<void> {
  const { pathname } = new URL(req.url ?? '/', 'http://emulator');
  switch (`${req.method} ${pathname}`) {
    case 'POST /v1/audio/speech':
      return speak(req, res, context);
    case 'HEAD /v1/models':
    case 'GET /health':
      return sendJson(res, 200, { status: 'ok', simulated: true });
    case 'GET /emulator/log':
      return sendJson(res, 200, { entries: context.log.entries() });
    case 'DELETE /emulator/log':
      context.log.clear();
      return sendJson(res, 200, { cleared: true });
    case 'PUT /emulator/behaviors': {
      const parsed = BehaviorList.safeParse(await readJson(req));
      if (!parsed.success)
        throw new OpenAiError(400, `These behaviors cannot be used: ${z.prettifyError(parsed.error)}`);
      context.behaviors.set(parsed.data);
      return sendJson(res, 200, { behaviors: parsed.data.length });
    }
    default:
      throw new OpenAiError(404, `Invalid URL (${req.method} ${pathname})`, { code: 'unknown_url' });
  }
}

async function readJson(req: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of req) parts.push(Buffer.from(part));
  try {
    return JSON.parse(Buffer.concat(parts).toString());
  } catch {
    throw new OpenAiError(400, 'The body is not JSON.');
  }
}

function sendJson(res: ServerResponse, status: number, body: unknown): void {
  res.statusCode = status;
  res.setHeader('content-type', 'application/json').end(JSON.stringify(body));
}
