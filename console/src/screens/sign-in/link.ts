import { call } from '../../app/api.ts';
import { session } from '../../app/session.ts';

/** A link has its token in the fragment, which keeps it out of logs. */
const linkPattern = /^#(sign-in|invitation|new-password)=(.+)$/;

function takeToken(name: 'sign-in' | 'invitation' | 'new-password'): string | null {
  const [, found, token] = linkPattern.exec(location.hash) ?? [];
  if (found !== name || token === undefined) return null;
  history.replaceState(null, '', location.pathname + location.search);
  return decodeURIComponent(token);
}

/** The token of the invitation that somebody has opened. */
export const invited = takeToken('invitation');
/** The token of the link for a new password that somebody has opened. */
export const renewed = takeToken('new-password');
let link = takeToken('sign-in');

// A link that is opened where the console is open already changes only the fragment.
addEventListener('hashchange', () => {
  if (linkPattern.test(location.hash)) location.reload();
});

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
