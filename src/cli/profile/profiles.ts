import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UsageError } from '../failures.ts';
import { isObject, own, ownText } from '../json.ts';

/** URL of a service, and the API key for it. */
export interface Profile {
  url: string;
  apiKey: string;
}

export interface Profiles {
  /** By name. */
  profiles: Readonly<Record<string, Profile>>;
  /** Name of the default profile. */
  current: string | null;
}

/** `$XDG_CONFIG_HOME/parlance/config.json`, by default below `~/.config`. */
export function profilesFile(environment: Readonly<Record<string, string | undefined>>): string {
  const home =
    environment['XDG_CONFIG_HOME'] ||
    join(environment['HOME'] || environment['USERPROFILE'] || '.', '.config');
  return join(home, 'parlance', 'config.json');
}

/**
 * Reads the profiles. A missing file has none. Throws UsageError if others may read the file, or if it is
 * malformed.
 */
export async function readProfiles(file: string): Promise<Profiles> {
  let text: string;
  try {
    const { mode } = await stat(file);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0)
      throw new UsageError(`${file} contains a key and is readable by others`, `chmod 600 '${file}'`);
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return { profiles: {}, current: null };
    throw error;
  }
  const content = parsed(text);
  const profiles = own(content, 'profiles');
  if (!isObject(profiles))
    throw new UsageError(`${file} is not a configuration of parlance`, 'Remove it and run `parlance login`.');
  const entries = Object.entries(profiles).flatMap(([name, value]): [string, Profile][] => {
    const [url, apiKey] = [ownText(value, 'url'), ownText(value, 'api_key')];
    return url === undefined || apiKey === undefined ? [] : [[name, { url, apiKey }]];
  });
  return { profiles: Object.fromEntries(entries), current: ownText(content, 'current') ?? null };
}

/**
 * Reads the stored profiles. If none of them is the default, the profile of `npm start` in the same checkout
 * is the default (`npm run parlance` sets PARLANCE_DEVELOPMENT_PROFILE to its file).
 */
export async function readUsableProfiles(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Profiles> {
  const stored = await readProfiles(profilesFile(environment));
  const file = environment['PARLANCE_DEVELOPMENT_PROFILE'];
  if (stored.current !== null || !file) return stored;
  const development = await readProfiles(file);
  return { profiles: { ...development.profiles, ...stored.profiles }, current: development.current };
}

/** Writes the file atomically, readable only by its owner. */
export async function writeProfiles(file: string, { profiles, current }: Profiles): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const content = {
    current,
    profiles: Object.fromEntries(
      Object.entries(profiles).map(([name, { url, apiKey }]) => [name, { url, api_key: apiKey }]),
    ),
  };
  const draft = `${file}.${process.pid}.new`;
  try {
    await writeFile(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}

const isMissing = (error: unknown): boolean => own(error, 'code') === 'ENOENT';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the caller reports it with the name of the file
  }
}
