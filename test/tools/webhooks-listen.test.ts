import { expect, test } from '@jest/globals';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { signWebhook } from '../../src/providers/http/webhook-signer.ts';
import { closeServer, portOf } from '../support/receiver.ts';

const root = new URL('../../', import.meta.url);
const secrets = [`whsec_${Buffer.alloc(32, 1).toString('base64')}`, `whsec_${Buffer.alloc(32, 2).toString('base64')}`];
const body = '{"name":"Zoë 🙂"}';

function signed(at: Date, signers = secrets): Record<string, string> {
  const id = 'a-delivery';
  return { 'webhook-id': id, 'webhook-timestamp': String(Math.floor(at.getTime() / 1000)), 'webhook-signature': signWebhook({ id, at, body, secrets: signers }) };
}

test('the TypeScript of docs/webhooks.md accepts what is genuine, also while secrets rotate, and nothing else', async () => {
  const [, code] = /```ts\n([^]*?)```/.exec(await readFile(new URL('docs/webhooks.md', root), 'utf8')) ?? [];
  const now = new Date();
  const cases = [
    { headers: signed(now), body },
    { headers: signed(now, secrets.slice(1)), body },
    { headers: signed(now), body: `${body} ` },
    { headers: { ...signed(now), 'webhook-id': 'another' }, body },
    { headers: signed(new Date(now.getTime() - 600_000)), body },
    { headers: signed(now, [`whsec_${Buffer.alloc(32, 3).toString('base64')}`]), body },
    { headers: {}, body },
  ];
  const folder = await mkdtemp(join(tmpdir(), 'verify-'));
  try {
    const file = join(folder, 'verify.mts');
    await writeFile(file, `${code ?? ''}\nconst cases = ${JSON.stringify(cases)};\nconsole.log(JSON.stringify(cases.map(({ headers, body }) => isGenuine(headers, Buffer.from(body), ${JSON.stringify(secrets)}))));`);
    const { stdout } = await promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', file]);
    expect(JSON.parse(stdout)).toEqual([true, true, false, false, false, false, false]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('npm run webhooks:listen takes the secrets from the API and refuses what is not signed by one', async () => {
  const api = createServer((req, res) => res.end(JSON.stringify(req.headers['x-api-key'] === 'key' ? secrets.map((secret) => ({ secret })) : [])));
  api.listen(0, '127.0.0.1');
  await once(api, 'listening');
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const port = portOf(free);
  await closeServer(free);
  const listener = spawn(process.execPath, ['tools/webhooks-listen.ts', '--port', String(port), '--api', `http://127.0.0.1:${portOf(api)}`], { cwd: root, env: { PARLANCE_API_KEY: 'key' } });
  try {
    let printed = '';
    listener.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
    await once(listener.stdout, 'data');
    const send = async (headers: Record<string, string>) => (await fetch(`http://127.0.0.1:${port}/in`, { method: 'POST', headers, body })).status;
    expect([await send(signed(new Date())), await send(signed(new Date())), await send({ 'webhook-id': 'forged' })]).toEqual([204, 204, 401]);
    expect(printed).toMatch(/genuine a-delivery[^]*repeated a-delivery[^]*NOT GENUINE forged/);
  } finally {
    listener.kill();
    await once(listener, 'exit');
    await closeServer(api);
  }
});
