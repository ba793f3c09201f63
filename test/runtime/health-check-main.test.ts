import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runNode } from '../support/process.ts';

describe('the health check of the image', () => {
  let folder = '';
  let status = 200;
  const asked: string[] = [];
  const server = createServer((req, res) => {
    asked.push(req.url ?? '');
    res.writeHead(status).end();
  });
  let port = 0;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parlance-test-'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    port = typeof address === 'object' && address !== null ? address.port : 0;
  });
  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function check(command: string[], variable = 'PARLANCE_HTTP_PORT'): Promise<number | null> {
    const cmdline = join(folder, 'cmdline');
    writeFileSync(cmdline, `${command.join('\0')}\0`);
    const run = runNode('src/runtime/health-check-main.ts', {
      args: [cmdline],
      env: { [variable]: String(port) },
    });
    return (await run.ended).code;
  }

  test.each([
    ['src/api/main.ts', 'PARLANCE_HTTP_PORT'],
    ['src/worker/main.ts', 'PARLANCE_WORKER_HEALTH_PORT'],
    ['src/media/main.ts', 'PARLANCE_MEDIA_HEALTH_PORT'],
  ])('asks %s at %s whether it is ready', async (file, variable) => {
    status = 200;
    expect(await check(['node', '--max-old-space-size=160', file], variable)).toBe(0);
    status = 503;
    expect(await check(['node', file], variable)).toBe(1);
    expect(asked).toContain('/readyz');
  });

  test('finds commands without a port healthy', async () => {
    status = 503;
    expect(await check(['node', 'src/db/migrate-main.ts'])).toBe(0);
  });
});
