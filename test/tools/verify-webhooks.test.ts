import { expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { signWebhook } from '../../src/providers/http/webhook-signer.ts';

const root = new URL('../../', import.meta.url);
const secrets = [
  `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
  `whsec_${Buffer.alloc(32, 2).toString('base64')}`,
];
const body = '{"name":"Zoë 🙂"}';

function signed(at: Date, signers = secrets): Record<string, string> {
  const id = 'a-delivery';
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signWebhook({ id, at, body, secrets: signers }),
  };
}

test('the TypeScript of docs/webhooks.md accepts genuine webhooks, also while secrets rotate, and nothing else', async () => {
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
    await writeFile(
      file,
      `${code ?? ''}\nconst cases = ${JSON.stringify(cases)};\nconsole.log(JSON.stringify(cases.map(({ headers, body }) => isGenuine(headers, Buffer.from(body), ${JSON.stringify(secrets)}))));`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--disable-warning=ExperimentalWarning',
      file,
    ]);
    expect(JSON.parse(stdout)).toEqual([true, true, false, false, false, false, false]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
