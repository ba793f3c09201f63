/** The tabs of the room after the first one, which is of people. */
export const tabs = ['organization', 'dialing', 'retention', 'changes', 'account', 'appearance'] as const;
export type Tab = (typeof tabs)[number];

/** What the address of the room says. */
export interface SettingsSearch {
  /** Absent: people. */
  tab?: Tab | undefined;
  /** Type of the objects whose changes are listed. Absent: all. */
  of?: string | undefined;
  /** Id of the request whose changes are listed. */
  request?: string | undefined;
  /** Id of the user whose changes are listed. */
  who?: number | undefined;
  /** The first and the last day of the listed changes. */
  from?: string | undefined;
  to?: string | undefined;
}

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^20\d\d-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));

export function settingsSearch(given: Record<string, unknown>): SettingsSearch {
  const tab = tabs.find((each) => each === given['tab']);
  if (tab !== 'changes') return tab === undefined ? {} : { tab };
  const { of, request, from, to } = given;
  const who = Number(given['who']);
  return {
    tab,
    ...(typeof of === 'string' ? { of } : {}),
    ...(typeof request === 'string' ? { request } : {}),
    ...(Number.isInteger(who) && who > 0 ? { who } : {}),
    ...(isDay(from) ? { from } : {}),
    ...(isDay(to) ? { to } : {}),
  };
}
