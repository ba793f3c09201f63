/** What the address of the room says. */
export interface SettingsSearch {
  tab?: 'account';
}

export const settingsSearch = ({ tab }: Record<string, unknown>): SettingsSearch =>
  tab === 'account' ? { tab } : {};
