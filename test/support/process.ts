import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { patienceMs } from './until.ts';

export const root = join(import.meta.dirname, '../..');

/** A process under test; its output is stored for failure messages. */
export interface RunningProcess {
  readonly child: ChildProcess;
  /** The whole output so far, both streams. */
  output: () => string;
  /** Resolves when the process has ended. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** SIGTERM, followed by SIGKILL after `limitMs`. */
  stop(limitMs?: number): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export interface RunNodeOptions {
  env?: Record<string, string>;
  args?: string[];
  /** Standard input. */
  input?: string;
  /** Arguments of node itself, before the file. */
  nodeArgs?: readonly string[];
  /** A channel for messages between the test and the process. */
  hasChannel?: boolean;
}

/** The cache of compiled code, which halves the time that a process needs to start. `npm test` sets it. */
export function compileCache(): { NODE_COMPILE_CACHE?: string } {
  const { NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
}

/** The bundle of a role, where `npm test` has made one; else its source. */
function bundled(file: string): string {
  const { PARLANCE_TEST_ROLES: folder } = process.env;
  const bundle = folder === undefined ? '' : join(folder, file.replace(/\.ts$/, '.mjs'));
  return existsSync(bundle) ? bundle : join(root, file);
}

/**
 * Runs a TypeScript file of this project with node, with exactly this environment plus PATH, HOME
 * and the cache of compiled code. */
export function runNode(
  file: string,
  { env = {}, args = [], input, nodeArgs = [], hasChannel = false }: RunNodeOptions = {},
): RunningProcess {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [...nodeArgs, bundled(file), ...args], {
    cwd: root,
    env: { PATH, HOME, ...compileCache(), ...env },
    stdio: [
      input === undefined ? 'ignore' : 'pipe',
      'pipe',
      'pipe',
      ...(hasChannel ? (['ipc'] as const) : []),
    ],
  });
  child.stdin?.end(input);
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  );
  return {
    child,
    ended,
    output: () => chunks.join(''),
    stop: async (limitMs = 180_000) => {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
      const outcome = await ended;
      clearTimeout(timer);
      return outcome;
    },
  };
}

/** Waits until `probe` gives a value; fails with the last reason (and `detail`) after `limitMs`. */
export async function eventually<T>(
  what: string,
  probe: () => Promise<T | undefined> | T | undefined,
  { limitMs = patienceMs, everyMs = 50, detail = (): string => '' } = {},
): Promise<T> {
  const deadline = Date.now() + limitMs;
  let reason: unknown;
  while (Date.now() < deadline) {
    try {
      const value = await probe();
      if (value !== undefined) return value;
    } catch (error) {
      reason = error;
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  throw new Error(
    `${what}: not within ${limitMs} ms. ${reason instanceof Error ? reason.message : ''}\n${detail()}`,
  );
}
