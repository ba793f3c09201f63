import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tail } from './command.mjs';
import { isRunning } from './processes.mjs';
import { folder } from './project.mjs';
import { failureOf } from './report.mjs';

const guardFile = fileURLToPath(new URL('guard.mjs', import.meta.url));

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Starts a server under the guard, in a separate process group, because Ctrl-C must not reach it before the
 * roles have drained. Answers `{ name, alive(), logTail(), stop() }`.
 */
export function startServer({ name, program, args, runFolder, logFile, graceMs = 8000, env = process.env }) {
  folder(dirname(logFile));
  const log = openSync(logFile, 'w', 0o644);
  const child = spawn(
    process.execPath,
    [guardFile, String(graceMs), join(folder(runFolder), `${name}.pid`), program, ...args],
    { stdio: ['pipe', log, log], detached: true, env },
  );
  closeSync(log);
  child.stdin.on('error', () => undefined); // the guard may have ended already
  let ended = false;
  const end = new Promise((resolve) => child.once('exit', () => resolve((ended = true))));
  child.once('error', () => (ended = true));
  return {
    name,
    alive: () => !ended,
    ended: end,
    logTail: () => (existsSync(logFile) ? tail(readFileSync(logFile, 'utf8')) : ''),
    async stop() {
      if (ended) return;
      child.kill('SIGTERM');
      await end;
    },
  };
}

/**
 * Keeps a server running: if it ends unexpectedly, the same `start` runs again (same port, same data) and
 * answers a usable server. The roles reconnect.
 */
export async function keepServer(start, note) {
  let server = await start();
  let stopping = false;
  const watch = async () => {
    for (let delayMs = 250; ; delayMs = Math.min(delayMs * 2, 5000)) {
      await server.ended;
      if (stopping) return;
      note(`${server.name} ended: restarting it`);
      await pause(delayMs);
      if (stopping) return;
      server = await start().catch((error) => (note(error.message), server));
    }
  };
  const watched = watch();
  return {
    ...server,
    async stop() {
      stopping = true;
      await server.stop();
      await watched;
    },
  };
}

/** Waits until `probe` answers something other than null, or throws the reason why it never will. */
export async function untilUsable(server, probe, limitMs) {
  const deadline = Date.now() + limitMs;
  while (Date.now() < deadline) {
    const answer = await probe();
    if (answer !== null) return answer;
    if (!server.alive())
      throw failureOf(
        `${server.name} ended at once`,
        'fix the cause that its log above names',
        server.logTail(),
      );
    await pause(50);
  }
  await server.stop();
  throw failureOf(
    `${server.name} did not answer within ${limitMs / 1000} s`,
    'fix the cause that its log above names',
    server.logTail(),
  );
}

/**
 * Ends servers that a killed run left behind: those whose pid file names a process that is still the same
 * server.
 */
export async function endLeftoverServers(runFolder, onFound) {
  if (!existsSync(runFolder)) return;
  for (const file of readdirSync(runFolder).filter((each) => each.endsWith('.pid'))) {
    const path = join(runFolder, file);
    const { pid, args } = readPidFile(path);
    if (pid !== null && (await isRunning(pid, args))) {
      onFound(file.replace(/\.pid$/, ''), pid);
      await endProcess(pid, args);
    }
    rmSync(path, { force: true });
  }
}

function readPidFile(path) {
  try {
    const { pid, args } = JSON.parse(readFileSync(path, 'utf8'));
    return { pid, args };
  } catch {
    return { pid: null, args: [] }; // half written when the machine stopped: it names no process
  }
}

async function endProcess(pid, args) {
  process.kill(pid, 'SIGTERM');
  for (let waited = 0; waited < 15_000; waited += 100) {
    if (!(await isRunning(pid, args))) return;
    await pause(100);
  }
  process.kill(pid, 'SIGKILL');
}
