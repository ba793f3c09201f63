import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { isAlive, isRunning } from '../../../tools/bootstrap/processes.mjs';
import { endLeftoverServers, startServer } from '../../../tools/bootstrap/servers.mjs';
import { eventually } from '../../support/process.ts';

const idle = 'setInterval(() => {}, 1000)';
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parlance-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const pidFile = () => join(folder, 'run', 'idle.pid');
const serverPid = () => Number(/"pid":(\d+)/.exec(readFileSync(pidFile(), 'utf8'))?.[1]);
const startIdle = () =>
  startServer({
    name: 'idle',
    program: process.execPath,
    args: ['-e', idle],
    runFolder: join(folder, 'run'),
    logFile: join(folder, 'idle.log'),
    graceMs: 50,
  });
const started = () => eventually('the server runs', () => (existsSync(pidFile()) ? serverPid() : undefined));

describe('a server that must not outlive its owner', () => {
  test('ends in order when its owner stops it', async () => {
    const server = startIdle();
    const pid = await started();
    await server.stop();
    expect(isAlive(pid)).toBe(false);
    expect(existsSync(pidFile())).toBe(false);
  });

  test('ends when its owner is killed', async () => {
    const module = new URL('../../../tools/bootstrap/servers.mjs', import.meta.url).href;
    const options = {
      name: 'idle',
      program: process.execPath,
      args: ['-e', idle],
      runFolder: join(folder, 'run'),
      logFile: join(folder, 'idle.log'),
      graceMs: 50,
    };
    const owner = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { startServer } from '${module}'; startServer(${JSON.stringify(options)}); ${idle}`,
      ],
      { stdio: 'ignore' },
    );
    const pid = await started();
    owner.kill('SIGKILL');
    await eventually('the server has ended', () => (isAlive(pid) ? undefined : true));
    expect(isAlive(pid)).toBe(false);
  });

  test('that a killed run left behind is found and ended by the next run', async () => {
    const server = startIdle();
    const pid = await started();
    const found: string[] = [];
    await endLeftoverServers(join(folder, 'run'), (name: string) => found.push(name));
    expect(found).toEqual(['idle']);
    await server.ended; // until its owner, here this process, has heard of it, the number is taken
    expect(isAlive(pid)).toBe(false);
  });

  test('is not confused with another process that has its process id', async () => {
    writeFileSync(
      join(folder, 'idle.pid'),
      JSON.stringify({ pid: process.pid, args: ['--datadir=/nowhere'] }),
    );
    expect(await isRunning(process.pid, ['--datadir=/nowhere'])).toBe(false);
    await endLeftoverServers(folder, () => {
      throw new Error('a stranger was taken for ours');
    });
    expect(existsSync(join(folder, 'idle.pid'))).toBe(false);
  });
});
