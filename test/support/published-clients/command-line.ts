import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { commandLinePython } from '../services.ts';

export interface CommandAnswer {
  code: number;
  stdout: string;
  stderr: string;
}

/** The published command-line client in one process; a command takes no second Python start. */
export interface CommandLine {
  run: (commandLine: string[], input?: string) => Promise<CommandAnswer>;
  close: () => void;
}

export function startCommandLine(env: Record<string, string>): CommandLine {
  const client = spawn(commandLinePython(), ['-I', join(import.meta.dirname, 'command-line.py')], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(client.stdout)[Symbol.asyncIterator]();
  return {
    run: async (commandLine, input) => {
      client.stdin.write(`${JSON.stringify({ arguments: commandLine, input })}\n`);
      const { value } = await lines.next();
      return JSON.parse(String(value));
    },
    close: () => void client.kill(),
  };
}
