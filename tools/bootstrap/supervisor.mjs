import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tail } from './command.mjs';
import { folder, root, statePath } from './project.mjs';
import { pause } from './servers.mjs';

/**
 * Keeps the roles of one machine running.
 *
 * S1. A role that ends for any reason is restarted: after 250 ms, doubling to 5 s while it keeps ending
 * early.
 * S2. Each role has a separate process group: Ctrl-C reaches only the supervisor, which stops all roles in
 * order.
 * S3. Each role has a channel to the supervisor (stop-with-parent.mjs) and stops when the supervisor ends.
 */
const stopWithParent = fileURLToPath(new URL('stop-with-parent.mjs', import.meta.url));
const firstDelayMs = 250;
const maxDelayMs = 5000;
const healthyAfterMs = 10_000;
const stopLimitMs = 25_000;

/** The pause before the next start, computed from how long the role ran and the last pause. */
export function nextDelay(ranMs, lastDelayMs) {
  return ranMs >= healthyAfterMs || lastDelayMs === 0 ? firstDelayMs : Math.min(lastDelayMs * 2, maxDelayMs);
}

/** Starts a role and restarts it when it ends: `{ name, pid(), logTail(), stop() }`. */
export function keepRole({
  name,
  file,
  env,
  note,
  logFile = statePath('logs', `${name}.log`),
  runFolder = folder(statePath('run')),
}) {
  folder(join(logFile, '..'));
  rmSync(logFile, { force: true }); // a log holds one run with all its restarts
  const pidFile = join(runFolder, `${name}.pid`);
  const args = ['--import', stopWithParent, file];
  const role = { child: null, stopping: false, delayMs: 0 };
  const stopped = new AbortController();

  function start() {
    const log = openSync(logFile, 'a', 0o644);
    const child = spawn(process.execPath, args, {
      cwd: root,
      env,
      stdio: ['ignore', log, log, 'ipc'],
      detached: true,
    });
    closeSync(log);
    const startedAt = Date.now();
    role.child = child;
    if (child.pid !== undefined) writeFileSync(pidFile, JSON.stringify({ pid: child.pid, args }));
    child.once('error', (error) => note(`${name}: ${error.message}`));
    child.once('exit', (code, signal) => void again(Date.now() - startedAt, signal ?? `code ${code}`));
  }

  async function again(ranMs, how) {
    role.child = null;
    rmSync(pidFile, { force: true });
    if (role.stopping) return;
    role.delayMs = nextDelay(ranMs, role.delayMs);
    note(`${name} ended (${how}): restarting it in ${role.delayMs} ms; its log is ${logFile}`);
    await pause(role.delayMs);
    if (!stopped.signal.aborted) start();
  }

  start();
  return {
    name,
    pid: () => role.child?.pid ?? null,
    logTail: () => (existsSync(logFile) ? tail(readFileSync(logFile, 'utf8')) : ''),
    async stop() {
      role.stopping = true;
      stopped.abort();
      if (role.child !== null) await endChild(role.child);
    },
  };
}

async function endChild(child) {
  const end = new Promise((resolve) => child.once('exit', resolve));
  const timer = setTimeout(() => child.kill('SIGKILL'), stopLimitMs);
  child.kill('SIGTERM');
  await end;
  clearTimeout(timer);
}
