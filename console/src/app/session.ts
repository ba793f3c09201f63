import type { SignedIn } from '../../../src/contract/users.ts';

/** The signed-in user and the token of the session. */
export type Session = SignedIn;

const key = 'parlance.session';
const listeners = new Set<() => void>();
let current: Session | null = read();

function read(): Session | null {
  try {
    const stored = localStorage.getItem(key);
    return stored === null ? null : (JSON.parse(stored) as Session);
  } catch {
    return null; // storage is forbidden or damaged: sign in again
  }
}

function tell(): void {
  for (const each of listeners) each();
}

// Another tab has signed in or out.
addEventListener('storage', (event) => {
  if (event.key !== key && event.key !== null) return;
  current = read();
  tell();
});

/** The session of all tabs of this browser. */
export const session = {
  get: (): Session | null => current,
  set: (next: Session | null): void => {
    current = next;
    try {
      if (next === null) localStorage.removeItem(key);
      else localStorage.setItem(key, JSON.stringify(next));
    } catch {
      // The session then lasts as long as the page.
    }
    tell();
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
