/** The tabs of the room after the first one, which is of people. */
export const tabs = ['organization', 'dialing', 'retention', 'changes', 'account', 'appearance'] as const;
export type Tab = (typeof tabs)[number];

/** What the address of the room says. */
export interface SettingsSearch {
  /** Absent: people. */
  tab?: Tab;
  /** Type of the objects whose changes are listed. Absent: all. */
  of?: string;
  /** Id of the request whose changes are listed. */
  request?: string;
}

export function settingsSearch({ tab, of, request }: Record<string, unknown>): SettingsSearch {
  const known = tabs.find((each) => each === tab);
  return {
    ...(known === undefined ? {} : { tab: known }),
    ...(known === 'changes' && typeof of === 'string' ? { of } : {}),
    ...(known === 'changes' && typeof request === 'string' ? { request } : {}),
  };
}
