import { call } from '../../app/api.ts';
import { session } from '../../app/session.ts';

/** The token of a link (`#sign-in=…`, `#invitation=…`, `#new-password=…`), which the fragment keeps out of logs. */
function takeToken(name: 'sign-in' | 'invitation' | 'new-password'): string | null {
  const [, found, token] = /^#([a-z-]+)=(.+)$/.exec(location.hash) ?? [];
  if (found !== name || token === undefined) return null;
  history.replaceState(null, '', location.pathname + location.search);
  return decodeURIComponent(token);
}

/** The token of the invitation that somebody has opened. */
export const invited = takeToken('invitation');
/** The token of the link for a new password that somebody has opened. */
export const renewed = takeToken('new-password');
let link = takeToken('sign-in');

export const hasLink = (): boolean => link !== null;

/** Uses up the link. Answers whether it signed somebody in. */
export async function followLink(): Promise<boolean> {
  const token = link;
  link = null;
  if (token === null) return false;
  try {
    session.set((await call('post', '/auth/sign-in-link', { body: { token } })).body);
    return true;
  } catch {
    return false;
  }
}
