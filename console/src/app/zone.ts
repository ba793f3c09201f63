const { timeZone: browserZone } = new Intl.DateTimeFormat().resolvedOptions();
const listeners = new Set<() => void>();

/**
 * The time zone in which moments and days are shown and filtered: the organization's, so that colleagues see the
 * same. The browser's while the organization has chosen none.
 */
export let ownZone = browserZone;

/** Sets the zone. Null, or a zone that this browser does not know: the browser's. */
export function setZone(zone: string | null): void {
  const next = zone !== null && isZone(zone) ? zone : browserZone;
  if (next === ownZone) return;
  ownZone = next;
  for (const each of listeners) each();
}

export const onZone = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Whether the browser knows the zone. */
export function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
