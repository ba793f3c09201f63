import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { checkKey } from '../remote/account.ts';
import type { ApiClient } from '../remote/client.ts';
import { readUrl } from '../profile/choose-profile.ts';
import { readProfiles, writeProfiles, type Profile } from '../profile/profiles.ts';
import { exitCodes, InterruptedError, UsageError, type ExitCode } from '../failures.ts';
import type { Terminal } from '../output/terminal.ts';

export interface LogInDeps {
  terminal: Terminal;
  file: string;
  stdin: NodeJS.ReadStream;
  stderr: NodeJS.WriteStream;
  signal: AbortSignal;
  connect: (profile: Profile) => ApiClient;
}

/**
 * Stores URL and key after the API has accepted the key. The key is typed without being shown, or read from
 * standard input, so that it is not in the history of the shell.
 */
export async function logIn(
  deps: LogInDeps,
  {
    url: givenUrl,
    apiKey: givenKey,
    profile: name = 'default',
  }: { url?: string; apiKey?: string; profile?: string },
): Promise<ExitCode> {
  const stored = await readProfiles(deps.file);
  const answers = askerOf(deps);
  try {
    const url = readUrl(
      givenUrl ??
        (await answers.ask(`URL of the API [${stored.profiles[name]?.url ?? 'http://localhost:8000'}]: `)) ??
        stored.profiles[name]?.url ??
        'http://localhost:8000',
    );
    const apiKey = (givenKey ?? (await answers.askHidden('API key: ')))?.trim() ?? '';
    if (apiKey === '')
      throw new UsageError('No key was given', 'Type the key, or send it to standard input.');
    await checkKey(deps.connect({ url, apiKey }));
    await writeProfiles(deps.file, {
      profiles: { ...stored.profiles, [name]: { url, apiKey } },
      current: name,
    });
    deps.terminal.value({ profile: name, url, file: deps.file });
    deps.terminal.say(`The key was accepted. ${url} is stored as profile "${name}" in ${deps.file}.`);
    return exitCodes.ok;
  } finally {
    answers.close();
  }
}

/** Deletes a profile. */
export async function logOut(
  { terminal, file }: Pick<LogInDeps, 'terminal' | 'file'>,
  { profile: wanted }: { profile?: string },
): Promise<ExitCode> {
  const { profiles, current } = await readProfiles(file);
  const name = wanted ?? current ?? 'default';
  if (!Object.hasOwn(profiles, name)) throw new UsageError(`There is no profile "${name}"`);
  const { [name]: _, ...others } = profiles;
  await writeProfiles(file, {
    profiles: others,
    current: current === name ? (Object.keys(others)[0] ?? null) : current,
  });
  terminal.value({ profile: name });
  terminal.say(`Profile "${name}" is deleted. The key itself stays valid until it is archived.`);
  return exitCodes.ok;
}

interface Asker {
  /** Undefined if nothing was typed, or if there is no terminal. */
  ask: (question: string) => Promise<string | undefined>;
  askHidden: (question: string) => Promise<string | undefined>;
  close: () => void;
}

function askerOf({ stdin, stderr, signal }: LogInDeps): Asker {
  if (!stdin.isTTY)
    return {
      ask: () => Promise.resolve(undefined),
      askHidden: () => wholeInput(stdin),
      close: () => undefined,
    };
  let isHidden = false;
  const screen = new Writable({
    write: (chunk, encoding, done) => void (isHidden ? done() : stderr.write(chunk, encoding, done)),
  });
  const reader = createInterface({ input: stdin, output: screen, terminal: true });
  const ask = async (question: string) => {
    try {
      return (await reader.question(question, { signal })) || undefined;
    } catch {
      throw new InterruptedError();
    }
  };
  reader.on('SIGINT', () => reader.close());
  return {
    ask,
    askHidden: async (question) => {
      stderr.write(question);
      isHidden = true;
      const typed = await ask('');
      isHidden = false;
      stderr.write('\n');
      return typed;
    },
    close: () => reader.close(),
  };
}

async function wholeInput(stdin: NodeJS.ReadStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
