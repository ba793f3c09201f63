import { useQuery } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { get, queries } from './query.ts';
import { session } from './session.ts';
import { onZone, ownZone, setZone } from './zone.ts';

const preferences = get('/organizations/preferences', {});
const key = (): string => `parlance.zone.${session.get()?.user.organization_id ?? ''}`;

/** The organization whose zone is set. */
let known: string | null = null;

function keep(zone: string | null): void {
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
    if (stored !== null) return keep(stored === '' ? null : stored);
  } catch {
    // Storage is forbidden: ask.
  }
  const answer = await queries.fetchQuery({ ...preferences, retry: false }).catch(() => null);
  if (answer !== null) keep(answer.timezone);
}

/** The zone, which follows the organization's preference while the page is open. */
export function useOrganizationZone(): string {
  const { data } = useQuery(preferences);
  useEffect(() => {
    if (data !== undefined) keep(data.timezone);
  }, [data]);
  return useSyncExternalStore(onZone, () => ownZone);
}
