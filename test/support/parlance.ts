import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileCache, root } from './process.ts';

/** The result of a client command. */
export interface ClientRun {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunningClient {
  child: ChildProcess;
  stdout: () => string;
  stderr: () => string;
  ended: Promise<ClientRun>;
}

/** The command-line client with a separate home, which hides the machine's own configuration. */
export interface ClientHome {
  /** Working folder; relative paths of commands start here. */
  dir: string;
  /** Runs a command to its end. */
  run(args: string[], options?: { input?: string; env?: Record<string, string> }): Promise<ClientRun>;
  /** `input` null = standard input stays open without data. */
  start(args: string[], options?: { input?: string | null; env?: Record<string, string> }): RunningClient;
  remove(): Promise<void>;
}

/**
 * `env` is added to PATH, HOME, XDG_CONFIG_HOME and the cache of compiled code; `program` is another main file, as for an installed
 * client.
 */
export async function createClientHome(
  env: Record<string, string>,
  program = join(root, 'src/cli/main.ts'),
): Promise<ClientHome> {
  const dir = await mkdtemp(join(tmpdir(), 'parlance-client-'));
  const start: ClientHome['start'] = (args, { input, env: more = {} } = {}) => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: dir,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: dir,
        XDG_CONFIG_HOME: join(dir, 'config'),
        ...compileCache(),
        ...env,
        ...more,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const [out, err]: [string[], string[]] = [[], []];
    child.stdout.setEncoding('utf8').on('data', (text: string) => out.push(text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => err.push(text));
    child.stdin.on('error', () => undefined); // it may end before it has read everything
    if (input !== null) child.stdin.end(input ?? '');
    const ended = new Promise<ClientRun>((resolve) =>
      child.once('close', (code) => resolve({ code, stdout: out.join(''), stderr: err.join('') })),
    );
    return { child, stdout: () => out.join(''), stderr: () => err.join(''), ended };
  };
  return {
    dir,
    start,
    run: (args, options) => start(args, options).ended,
    remove: () => rm(dir, { recursive: true, force: true }),
  };
}
