import type { Config } from './env.ts';

/**
 * The address of a media host for carriers and browsers. Throws TypeError for `ws://` outside of development,
 * because tokens and voices would cross networks in clear. Development is a service whose own address and
 * whose media host are on this machine.
 */
export function mediaUrlOf({ media, http }: Pick<Config, 'media' | 'http'>): string {
  const isLocal = [media.publicUrl, http.publicUrl].every((url) => isThisMachine(new URL(url).hostname));
  // guarantee: media-url-is-wss
  if (!isLocal && !media.publicUrl.startsWith('wss://'))
    throw new TypeError('must start with wss:// unless it and PARLANCE_PUBLIC_URL are of localhost');
  return media.publicUrl;
}

function isThisMachine(hostname: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/u.test(hostname);
}
