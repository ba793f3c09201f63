import { UsageError } from '../failures.ts';
import type { Profile, Profiles } from './profiles.ts';

/** What the command line says about where to go. */
export interface ProfileFlags {
  url?: string | undefined;
  apiKey?: string | undefined;
  profile?: string | undefined;
}

/**
 * Flags go before the environment, and that before the stored profile. A stored key is only ever sent to the
 * address that it was stored for. Throws UsageError when the address or the key is missing.
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
      `\`parlance login --profile ${flags.profile}\` makes it.`,
    );

  // A profile that is named on the command line is meant as a whole: the environment does not change half of
  // it.
  const fromEnvironment = flags.profile === undefined ? environment : {};
  const givenUrl = flags.url ?? (fromEnvironment['PARLANCE_URL'] || undefined);
  const url = givenUrl === undefined ? profile?.url : readUrl(givenUrl);
  if (url === undefined)
    throw new UsageError(
      'No address is known',
      '`parlance login` stores one; or give --url or PARLANCE_URL.',
    );
  // guarantee: cli-key-bound-to-its-address
  const storedKey = profile?.url === url ? profile.apiKey : undefined;
  const apiKey = flags.apiKey ?? (fromEnvironment['PARLANCE_API_KEY'] || storedKey);
  if (apiKey === undefined)
    throw new UsageError(
      `No API key for ${url} is known`,
      '`parlance login` stores one; or set PARLANCE_API_KEY.',
    );
  if (!/^[!-~]+$/.test(apiKey))
    throw new UsageError(
      'The API key has characters that no key has',
      'Copy it again, without line breaks and quotes.',
    );
  return { url, apiKey };
}

/** The address without `/api/v1`, without a slash at the end. Throws UsageError. */
export function readUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new UsageError(`"${text}" is not an address`, 'For example http://localhost:8000');
  if (url.username !== '' || url.password !== '')
    throw new UsageError('An address with a password in it is not taken');
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '').replace(/\/api\/v1$/, '');
}
