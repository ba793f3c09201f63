import { useQuery } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { keepZone, preferences } from './organization-zone.ts';
import { onZone, ownZone } from './zone.ts';

/** The zone, which follows the organization's preference while the page is open. */
export function useOrganizationZone(): string {
  const { data } = useQuery(preferences);
  useEffect(() => {
    if (data !== undefined) keepZone(data.timezone);
  }, [data]);
  return useSyncExternalStore(onZone, () => ownZone);
}
