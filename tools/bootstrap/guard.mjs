/**
 * `node guard.mjs <grace ms> <pid file> <program> [args...]`: runs a server that must not outlive its owner.
 *
 * G1. SIGTERM stops the server in order; after `limitMs` it is killed.
 * G2. When standard input closes (the owner has ended, for any reason), the server ends after the grace time,
 * in which the owner's other children drain.
 * G3. The pid file names the server while it runs, so that the next start finds it even if this process was
 * killed.
 */
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';

const limitMs = 15_000;
const [graceMs, pidFile, program, ...args] = process.argv.slice(2);

const server = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });

server.once('error', (error) => {
  process.stderr.write(`${program}: ${error.message}\n`);
  process.exit(127);
});
server.once('spawn', () => writeFileSync(pidFile, JSON.stringify({ pid: server.pid, program, args })));
server.once('exit', (code, signal) => {
  rmSync(pidFile, { force: true });
  process.exit(code ?? (signal === 'SIGTERM' ? 0 : 1));
});

function end() {
  server.kill('SIGTERM');
  setTimeout(() => server.kill('SIGKILL'), limitMs);
}

process.on('SIGTERM', end);
process.on('SIGINT', () => undefined);
process.on('SIGHUP', () => undefined);
process.stdin.resume();
process.stdin.once('close', () => setTimeout(end, Number(graceMs)));
