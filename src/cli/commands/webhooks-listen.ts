import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { Webhook } from 'standardwebhooks';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes, InterruptedError } from '../failures.ts';
import { oneLine, shown } from '../output/terminal.ts';

export interface ListenOptions {
  port: number;
  /** URL to which genuine webhooks are forwarded. Its status is returned. */
  forward?: string;
}

const maxBodyBytes = 10 * 1024 * 1024;
/** The same timeout as that of Parlance. */
const forwardTimeoutMs = 20_000;
/** Headers that are not forwarded. */
const notForwarded: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'te',
  'upgrade',
  'trailer',
  'expect',
]);

interface Received {
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/**
 * Receives webhooks until Ctrl-C. Verifies them with the organization's secrets, shows them and forwards
 * them. A webhook that is not genuine is answered with 401 and not forwarded.
 */
export async function listenForWebhooks(ctx: CliContext, { port, forward }: ListenOptions): Promise<never> {
  const { terminal, signal } = ctx;
  const secrets = await ctx.webhooks.secrets();
  const seen = new Set<string>();
  const server = createServer((req, res) => {
    answer(ctx, req, { secrets, seen, forward }).then(
      (status) => res.writeHead(status).end(),
      (error: unknown) => res.destroy(error instanceof Error ? error : new Error(String(error))),
    );
  });
  await listen(server, port);
  const address = server.address();
  terminal.note(
    `Listening on http://127.0.0.1:${address === null || typeof address === 'string' ? port : address.port}/ with ${secrets.length} secret(s)${forward === undefined ? '' : `, forwarding to ${forward}`}. Ctrl-C ends.`,
  );
  if (!signal.aborted) await once(signal, 'abort');
  server.close();
  server.closeAllConnections();
  throw new InterruptedError();
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new CliError(
      exitCodes.usage,
      `Cannot listen on port ${port}: ${error instanceof Error ? error.message : String(error)}`,
      'Choose another port with --port; 0 takes any free one.',
    );
  }
}

/** Handles a webhook. Returns the status of the answer. */
async function answer(
  { terminal, signal }: CliContext,
  req: IncomingMessage,
  { secrets, seen, forward }: { secrets: readonly string[]; seen: Set<string>; forward: string | undefined },
): Promise<number> {
  const received = await read(req);
  if (received === null) return 413;
  const { headers, method, path, body } = received;
  const id = headers['webhook-id'] ?? 'without an id';
  const isGenuine = secrets.some((secret) => isSignedWith(secret, received));
  const outcome = !isGenuine ? 'not_genuine' : seen.has(id) ? 'repeated' : 'genuine';
  if (isGenuine) seen.add(id);
  const status = !isGenuine ? 401 : forward === undefined ? 204 : await forwardTo(received, forward, signal);
  const at = new Date().toISOString();
  terminal.value({
    at,
    outcome,
    id,
    attempt: headers['x-dograh-delivery-attempt'] ?? null,
    method,
    path,
    body,
    answered: status,
  });
  const word = {
    genuine: terminal.good('genuine'),
    repeated: terminal.dim('repeated'),
    not_genuine: terminal.bad('NOT GENUINE'),
  }[outcome];
  terminal.say(
    `${at} ${word} ${oneLine(id)} attempt ${oneLine(headers['x-dograh-delivery-attempt'] ?? '?')} ${method} ${oneLine(path, 200)} answered ${status}\n${shown(body)}`,
  );
  return status;
}

/** Reads a webhook. Returns null if its body is too large. */
async function read(req: IncomingMessage): Promise<Received | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of req) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    if (bytes > maxBodyBytes) return null;
    chunks.push(part);
  }
  const headers = Object.fromEntries(
    Object.entries(req.headers).map(([name, value]) => [name, String(value)]),
  );
  return {
    method: req.method ?? 'POST',
    path: req.url ?? '/',
    headers,
    body: Buffer.concat(chunks).toString('utf8'),
  };
}

function isSignedWith(secret: string, { body, headers }: Received): boolean {
  try {
    new Webhook(secret).verify(body, { ...headers }, { jsonParse: false });
    return true;
  } catch {
    return false; // `verify` throws if the secret does not match
  }
}

/** Forwards a webhook. Returns 502 if the target does not answer, so that Parlance retries. */
async function forwardTo(
  { method, headers, body }: Received,
  target: string,
  signal: AbortSignal,
): Promise<number> {
  const kept = Object.entries(headers).filter(([name]) => !notForwarded.has(name));
  const hasBody = method !== 'GET' && method !== 'HEAD';
  try {
    const answered = await fetch(target, {
      method,
      headers: Object.fromEntries(kept),
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(forwardTimeoutMs)]),
      ...(hasBody ? { body } : {}),
    });
    await answered.body?.cancel();
    return answered.status;
  } catch {
    return 502; // unreachable or too slow
  }
}
