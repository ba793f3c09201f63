import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * For programs in Go that run beside others: one thread and a rare collector take about two thirds of the processor time
 * of the defaults.
 */
export const frugalGo = { GOMAXPROCS: '1', GOGC: '400' };

/** Folders of servers that an ordinary user's PATH may lack. */
const serverFolders = ['/usr/sbin', '/usr/local/sbin', '/sbin', '/usr/libexec', '/usr/local/go/bin'];

/** The full path of a program on the PATH (or where servers usually are), or null. */
export function which(name, path = process.env.PATH ?? '') {
  return (
    [...path.split(delimiter), ...serverFolders]
      .filter((each) => each !== '')
      .map((each) => join(each, name))
      .find(isProgram) ?? null
  );
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false; // absent or not executable
  }
}

const running = new Set();

/** Ends every program that `run` waits for, so that a stop does not wait for a build. */
export function endRunning() {
  for (const child of running) child.kill('SIGTERM');
}

/**
 * Runs a program to its end and answers `{ code, output }` (both streams together). Never rejects: a program
 * that cannot be started has code 127; one that exceeds `timeoutMs` is killed and has code 124. Aborting
 * `signal` ends it.
 */
export function run(program, args = [], { cwd, env, input, timeoutMs, onOutput, signal } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env: env ?? process.env, stdio: ['pipe', 'pipe', 'pipe'] });
    running.add(child);
    const chunks = [];
    let late = false;
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => ((late = true), child.kill('SIGKILL')), timeoutMs);
    const end = () => child.kill('SIGTERM');
    signal?.addEventListener('abort', end, { once: true });
    const finish = (code) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      running.delete(child);
      resolve({ code, output: chunks.join('') });
    };
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk) => {
        chunks.push(chunk);
        onOutput?.(chunk);
      });
    }
    child.stdin.on('error', () => undefined); // the program may end before it reads its input
    child.stdin.end(input ?? '');
    child.once('error', (error) => {
      chunks.push(error.message);
      finish(127);
    });
    child.once('close', (code) => finish(late ? 124 : (code ?? 1)));
  });
}

/** The last lines of a text, for failure messages. */
export function tail(text, lines = 15) {
  return text.trimEnd().split('\n').slice(-lines).join('\n');
}
