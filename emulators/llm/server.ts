import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { decide } from './decide.ts';
import { RequestLog, type LogEntry } from './log.ts';
import { OpenAiError } from './openai-error.ts';
import { readRequest } from './request.ts';
import { RuleBook, RuleList, type Rule } from './rules.ts';
import { sendAnswer } from './send.ts';

/**
 * Simulates a language model with OpenAI's protocol over real HTTP (README.md in this folder). It answers by
 * rules, logs every request, and says *simulated* in a header, in the model's name and in ids. It accepts
 * only keys that begin with `simulated`, so that a real key never works here and users of a key know what
 * answers.
 */
export interface LlmEmulator {
  /** Base URL for an OpenAI client: `http://127.0.0.1:<port>/v1`. */
  url: string;
  rules: RuleBook;
  log: RequestLog;
  close(): Promise<void>;
}

const largestBodyBytes = 10 * 1024 * 1024;

/**
 * Azure puts the model's deployment into the path and the API version into the query, and takes the key in
 * `api-key`.
 */
const azurePath = /^\/openai\/deployments\/[^/]+\/chat\/completions$/;

interface Context {
  rules: RuleBook;
  log: RequestLog;
  closing: AbortSignal;
}

/** Starts listening, by default on the loopback; port 0 takes a free one. */
export async function startLlmEmulator({
  host = '127.0.0.1',
  port = 0,
  rules: initial = [],
}: { host?: string; port?: number; rules?: readonly Rule[] } = {}): Promise<LlmEmulator> {
  const closing = new AbortController();
  const context: Context = { rules: new RuleBook(), log: new RequestLog(), closing: closing.signal };
  context.rules.add(initial);
  const server = createServer((req, res) => void handle(req, res, context));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  const address = server.address();
  const actualPort = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://127.0.0.1:${actualPort}/v1`,
    rules: context.rules,
    log: context.log,
    close: () =>
      new Promise((resolve) => {
        closing.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function handle(req: IncomingMessage, res: ServerResponse, context: Context): Promise<void> {
  res.setHeader('x-parlance-simulated', 'true');
  try {
    await route(req, res, context);
  } catch (error) {
    const refusal =
      error instanceof OpenAiError
        ? error
        : new OpenAiError(500, `The emulator itself failed: ${String(error)}`);
    sendJson(res, refusal.status, refusal.body());
  }
}

async function route(req: IncomingMessage, res: ServerResponse, context: Context): Promise<void> {
  const url = new URL(req.url ?? '/', 'http://emulator');
  const scope = url.searchParams.get('scope') ?? undefined;
  if (req.method === 'POST' && azurePath.test(url.pathname) && url.searchParams.has('api-version'))
    return chat(req, res, context);
  switch (`${req.method} ${url.pathname}`) {
    case 'POST /v1/chat/completions':
      return chat(req, res, context);
    case 'GET /v1/models':
      requireKey(req);
      return sendJson(res, 200, {
        object: 'list',
        data: [{ id: 'simulated', object: 'model', created: 0, owned_by: 'simulated' }],
      });
    case 'GET /health':
      return sendJson(res, 200, { status: 'ok', simulated: true });
    case 'POST /emulator/rules':
      return sendJson(res, 201, addRules(await readJson(req), context));
    case 'DELETE /emulator/rules':
      context.rules.clear(scope);
      return sendJson(res, 200, { cleared: true });
    case 'GET /emulator/log':
      return sendJson(res, 200, { entries: context.log.entries(scope) });
    case 'DELETE /emulator/log':
      context.log.clear(scope);
      return sendJson(res, 200, { cleared: true });
    default:
      throw new OpenAiError(404, `Invalid URL (${req.method} ${url.pathname})`, { code: 'unknown_url' });
  }
}

const AddRules = z.strictObject({ scope: z.string().min(1), rules: RuleList });

function addRules(body: unknown, { rules }: Context): { added: number } {
  const parsed = AddRules.safeParse(body);
  if (!parsed.success)
    throw new OpenAiError(400, `These rules cannot be used: ${z.prettifyError(parsed.error)}`);
  rules.add(parsed.data.rules, parsed.data.scope);
  return { added: parsed.data.rules.length };
}

async function chat(
  req: IncomingMessage,
  res: ServerResponse,
  { rules, log, closing }: Context,
): Promise<void> {
  const entry = log.open();
  const client = new AbortController();
  res.once('close', () => client.abort());
  try {
    const key = requireKey(req);
    entry.key = key;
    entry.request = await readJson(req);
    const request = readRequest(entry.request);
    const decision = decide({ request, key, rules, nth: entry.id });
    entry.rule = decision.rule;
    refuseByRule(decision.action.fail, res);
    entry.answer = decision.answer;
    entry.sent = await sendAnswer({
      request,
      decision,
      entry,
      res,
      left: AbortSignal.any([client.signal, closing]),
    });
  } catch (error) {
    noteRefusal(entry, error);
    throw error;
  } finally {
    entry.finishedAt = new Date().toISOString();
  }
}

function noteRefusal(entry: LogEntry, error: unknown): void {
  entry.status = error instanceof OpenAiError ? error.status : 500;
  entry.error = String(error);
}

function refuseByRule(
  fail:
    | {
        status: number;
        code?: string | undefined;
        message?: string | undefined;
        retryAfterSeconds?: number | undefined;
        retryAfterMs?: number | undefined;
      }
    | undefined,
  res: ServerResponse,
): void {
  if (fail === undefined) return;
  if (fail.retryAfterMs !== undefined) res.setHeader('retry-after-ms', String(fail.retryAfterMs));
  if (fail.retryAfterSeconds !== undefined) res.setHeader('retry-after', String(fail.retryAfterSeconds));
  throw new OpenAiError(
    fail.status,
    fail.message ?? `A rule of the simulated server answers ${fail.status}.`,
    {
      code: fail.code ?? null,
    },
  );
}

/** The bearer key of the request, which is also its scope. */
function requireKey(req: IncomingMessage): string {
  const key = /^Bearer (\S+)$/i.exec(req.headers.authorization ?? '')?.[1] ?? azureKeyOf(req);
  if (key === undefined) throw new OpenAiError(401, "You didn't provide an API key.");
  if (!key.startsWith('simulated'))
    throw new OpenAiError(
      401,
      'Incorrect API key provided: the simulated model takes only keys that begin with "simulated".',
      { code: 'invalid_api_key' },
    );
  return key;
}

function azureKeyOf({ headers: { 'api-key': key }, url = '' }: IncomingMessage): string | undefined {
  return url.startsWith('/openai/deployments/') && typeof key === 'string' ? key : undefined;
}

async function readJson(req: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of req) {
    const bytes = Buffer.from(part);
    size += bytes.length;
    if (size > largestBodyBytes) throw new OpenAiError(413, 'The request is too large.');
    parts.push(bytes);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    throw new OpenAiError(400, 'We could not parse the JSON body of your request.');
  }
}

function sendJson(res: ServerResponse, status: number, body: unknown): void {
  if (res.headersSent || res.destroyed) return;
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
