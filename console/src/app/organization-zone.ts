import { get, queries } from './query.ts';
import { session } from './session.ts';
import { setZone } from './zone.ts';

export const preferences = get('/organizations/preferences', {});
const key = (): string => `parlance.zone.${session.get()?.user.organization_id ?? ''}`;

/** The organization whose zone is set. */
let known: string | null = null;

/** Sets the zone of the person's organization, and remembers it. */
export function keepZone(zone: string | null): void {
  known = key();
  try {
    localStorage.setItem(known, zone ?? '');
  } catch {
    // It is asked for again with the next page.
  }
  setZone(zone);
}

/**
 * Sets the zone of the person's organization: as this browser remembers it, else as the API says. A page is drawn
 * after this, so that no moment changes under the eyes. Without an answer it is drawn in the browser's zone.
 */
export async function learnZone(): Promise<void> {
  if (session.get() === null || known === key()) return;
  try {
    const stored = localStorage.getItem(key());
    if (stored !== null) return keepZone(stored === '' ? null : stored);
  } catch {
    // Storage is forbidden: ask.
  }
  const answer = await queries.fetchQuery({ ...preferences, retry: false }).catch(() => null);
  if (answer !== null) keepZone(answer.timezone);
}
