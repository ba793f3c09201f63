export const callTabs = ['transcript', 'values', 'path', 'webhooks', 'quality', 'raw'] as const;
export type CallTab = (typeof callTabs)[number];

/** The state of the page of a call in its URL. */
export interface CallSearch {
  /** The moment of the recording, in seconds. */
  t?: number | undefined;
  /** Absent: the transcript. */
  tab?: CallTab | undefined;
}

/** Reads search parameters; what is unknown or wrong is left out. */
export function callSearch({ t, tab }: Record<string, unknown>): CallSearch {
  const moment = Number(t);
  const known = callTabs.find((each) => each === tab);
  return {
    ...(t !== undefined && Number.isFinite(moment) && moment >= 0 ? { t: moment } : {}),
    ...(known === undefined || known === 'transcript' ? {} : { tab: known }),
  };
}
