import { UsageError } from '../failures.ts';
import type { Profile, Profiles } from './profiles.ts';

/** Options of the command line that choose URL and key. */
export interface ProfileFlags {
  url?: string | undefined;
  apiKey?: string | undefined;
  profile?: string | undefined;
}

/**
 * Chooses URL and key: options come before the environment, and the environment before the stored profile. A
 * stored key is only sent to the URL that it was stored for. Throws UsageError if URL or key is missing.
 */
export function chooseProfile({
  flags,
  environment,
  stored,
}: {
  flags: ProfileFlags;
  environment: Readonly<Record<string, string | undefined>>;
  stored: Profiles;
}): Profile {
  const name = flags.profile ?? (environment['PARLANCE_PROFILE'] || stored.current);
  const profile = name === null || name === undefined ? undefined : stored.profiles[name];
  if (profile === undefined && flags.profile !== undefined)
    throw new UsageError(
      `There is no profile "${flags.profile}"`,
      `\`parlance login --profile ${flags.profile}\` creates it.`,
    );

  // The environment does not override parts of a profile that is named on the command line.
  const fromEnvironment = flags.profile === undefined ? environment : {};
  const givenUrl = flags.url ?? (fromEnvironment['PARLANCE_URL'] || undefined);
  const url = givenUrl === undefined ? profile?.url : readUrl(givenUrl);
  if (url === undefined)
    throw new UsageError('No URL of the API is set', 'Run `parlance login`, or set --url or PARLANCE_URL.');
  // guarantee: cli-key-bound-to-its-address
  const storedKey = profile?.url === url ? profile.apiKey : undefined;
  const apiKey = flags.apiKey ?? (fromEnvironment['PARLANCE_API_KEY'] || storedKey);
  if (apiKey === undefined)
    throw new UsageError(`No API key for ${url} is set`, 'Run `parlance login`, or set PARLANCE_API_KEY.');
  if (!/^[!-~]+$/.test(apiKey))
    throw new UsageError(
      'The API key has invalid characters',
      'Copy it again, without line breaks and quotes.',
    );
  return { url, apiKey };
}

/** Reads a URL, without `/api/v1` and without a slash at its end. Throws UsageError. */
export function readUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new UsageError(`"${text}" is not a URL`, 'For example http://localhost:8000');
  if (url.username !== '' || url.password !== '') throw new UsageError('The URL must not contain a password');
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '').replace(/\/api\/v1$/, '');
}
