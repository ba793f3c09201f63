export const developerTabs = ['keys', 'snippets', 'secrets'] as const;
export type DeveloperTab = (typeof developerTabs)[number];

export interface DevelopersSearch {
  /** Absent: the keys. */
  tab?: DeveloperTab | undefined;
  /** The agent of the snippets. */
  agent?: number | undefined;
}

/** Reads search parameters; what is unknown is left out. */
export function developersSearch({ tab, agent }: Record<string, unknown>): DevelopersSearch {
  const known = developerTabs.find((each) => each === tab);
  const id = Number(agent);
  return {
    ...(known === undefined || known === 'keys' ? {} : { tab: known }),
    ...(Number.isInteger(id) && id > 0 ? { agent: id } : {}),
  };
}
