import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { parseArgs } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';

/** A receiver for trying webhooks out: verifies with the organization's secrets, read over the API, and prints what arrives. */
const { values } = parseArgs({ options: { port: { type: 'string', default: '9000' }, api: { type: 'string', default: 'http://127.0.0.1:8000' } } });
const apiKey = process.env['PARLANCE_API_KEY'];
if (apiKey === undefined) throw new Error('PARLANCE_API_KEY is not set: it is the key that npm start prints, or one of your own');

const secrets = await readSecrets(values.api, apiKey);
const seen = new Set<string>();
const server = createServer((req, res) => {
  receive(req).then(
    (status) => res.writeHead(status).end(),
    (error: unknown) => res.destroy(error instanceof Error ? error : new Error(String(error))),
  );
});
server.listen(Number(values.port), '127.0.0.1');
await once(server, 'listening');
console.log(`Listening on http://127.0.0.1:${values.port}/ with ${secrets.length} secret(s)`);

async function readSecrets(api: string, key: string): Promise<string[]> {
  const answer = await fetch(`${api}/api/v1/organizations/webhook-secrets`, { headers: { 'x-api-key': key }, signal: AbortSignal.timeout(10_000) });
  if (!answer.ok) throw new Error(`The API answered ${answer.status} when it was asked for the webhook secrets`);
  return z.array(z.object({ secret: z.string() })).parse(await answer.json()).map(({ secret }) => secret);
}

async function receive(req: IncomingMessage): Promise<number> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(Buffer.from(chunk));
  const body = Buffer.concat(chunks).toString('utf8');
  const headers = Object.fromEntries(Object.entries(req.headers).map(([name, value]) => [name, String(value)]));
  const id = headers['webhook-id'] ?? 'without an id';
  const isGenuine = secrets.some((secret) => isSignedWith(secret, body, headers));
  const mark = isGenuine ? (seen.has(id) ? 'repeated' : 'genuine') : 'NOT GENUINE';
  if (isGenuine) seen.add(id);
  console.log(`${new Date().toISOString()} ${mark} ${id} attempt ${headers['x-dograh-delivery-attempt'] ?? '?'} ${req.method} ${req.url}\n${body}`);
  return isGenuine ? 204 : 401;
}

function isSignedWith(secret: string, body: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(secret).verify(body, headers, { jsonParse: false });
    return true;
  } catch {
    return false; // the package says "not this secret" by throwing
  }
}
