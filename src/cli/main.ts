#!/usr/bin/env node
// guarantee: cli-runs-without-service
import { CommanderError, type Command } from 'commander';
import { readFileSync } from 'node:fs';
import { createAgentApi } from './remote/agents.ts';
import { createCallApi } from './remote/calls.ts';
import { createApiClient } from './remote/client.ts';
import { createTransport } from './remote/transport.ts';
import { createWebhookApi } from './remote/webhooks.ts';
import { logIn, logOut } from './commands/log-in.ts';
import { chooseProfile } from './profile/choose-profile.ts';
import { profilesFile, readUsableProfiles, type Profile } from './profile/profiles.ts';
import { exitCodes, UsageError } from './failures.ts';
import { showFailure } from './output/show-failure.ts';
import { createTerminal, type Terminal } from './output/terminal.ts';
import { createProgram, type CommonOptions, type ProgramDeps } from './commands/program.ts';

/** Timeout of requests after Ctrl-C: long enough to end a call. */
const lastTimeoutMs = 5000;

const { env, stdin, stdout, stderr } = process;
const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);
const isJson = process.argv.includes('--json');
const interruption = new AbortController();

stdout.on('error', exitWhenClosed);
process.on('SIGINT', interrupt);
process.on('SIGTERM', interrupt);

const deps: ProgramDeps = {
  version,
  async run(common, command) {
    const stored = await readUsableProfiles(env);
    const profile = chooseProfile({ flags: common, environment: env, stored });
    const terminal = createTerminal({ stdout, stderr, isJson });
    const api = connect(profile, terminal, { signal: interruption.signal, timeoutMs: common.timeout * 1000 });
    const last = connect(profile, terminal, {
      signal: new AbortController().signal,
      timeoutMs: lastTimeoutMs,
    });
    process.exitCode = await command({
      terminal,
      url: profile.url,
      agents: createAgentApi(api),
      calls: createCallApi(api),
      lastCalls: createCallApi(last),
      webhooks: createWebhookApi(api),
      signal: interruption.signal,
      interrupt,
      stdin,
      stdout,
    });
  },
  logIn: async (common) => void (process.exitCode = await logIn(accountDeps(common), common)),
  logOut: async (common) => void (process.exitCode = await logOut(accountDeps(common), common)),
};

await main(createProgram(deps));

async function main(program: Command): Promise<void> {
  throwInsteadOfExiting(program);
  try {
    await program.parseAsync();
  } catch (error) {
    if (error instanceof CommanderError)
      process.exitCode = error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    else process.exitCode = showFailure(error, { isJson, write: (text) => void stderr.write(text) });
  }
  unref(stdin);
}

/** Lets the process end while standard input is still open. Files do not have `unref` and do not need it. */
function unref(input: { unref?: () => unknown }): void {
  input.unref?.();
}

/** Commander would exit with 1, which has another meaning here. */
function throwInsteadOfExiting(command: Command): void {
  command.exitOverride().showSuggestionAfterError();
  command.commands.forEach(throwInsteadOfExiting);
}

function connect(
  { url, apiKey }: Profile,
  terminal: Terminal,
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
) {
  return createApiClient(
    createTransport({
      url,
      apiKey,
      signal,
      timeoutMs,
      userAgent: `parlance-cli/${version}`,
      onWait: (reason, delayMs) => terminal.note(`${reason}; retrying in ${Math.ceil(delayMs / 1000)} s`),
    }),
  );
}

function accountDeps(common: CommonOptions) {
  const terminal = createTerminal({ stdout, stderr, isJson });
  const { signal } = interruption;
  return {
    terminal,
    file: profilesFile(env),
    stdin,
    stderr,
    signal,
    connect: (profile: Profile) => connect(profile, terminal, { signal, timeoutMs: common.timeout * 1000 }),
  };
}

/** The first Ctrl-C ends the command in an orderly way, the second one at once. */
function interrupt(): void {
  if (interruption.signal.aborted) process.exit(exitCodes.interrupted);
  interruption.abort();
}

/** Exits without a failure if the reader of standard output, such as `head`, has closed it. */
function exitWhenClosed(error: Error): void {
  if (Reflect.get(error, 'code') !== 'EPIPE')
    throw new UsageError(`Cannot write to standard output: ${error.message}`);
  process.exit(exitCodes.ok);
}
