import { call } from '../../app/api.ts';
import { session } from '../../app/session.ts';

/** The token of a one-time link (`#sign-in=…`), which the fragment keeps out of logs. */
function takeLink(): string | null {
  const token = /^#sign-in=(.+)$/.exec(location.hash)?.[1];
  if (token === undefined) return null;
  history.replaceState(null, '', location.pathname + location.search);
  return decodeURIComponent(token);
}

let link = takeLink();

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
