/** Requests by callers who prove who they are. */
export type CallerLimits = Readonly<Record<'reads' | 'writes' | 'calls', number>>;

/** Most requests a minute, by whom they are counted for. A session counts as a key of its user. */
export interface RequestLimits {
  key: CallerLimits;
  organization: CallerLimits;
  /** Whoever downloads proves nothing: an IPv4 address or the /64 of an IPv6 one. */
  network: { downloads: number };
}

/** Seconds of a window, which begins with its first request. */
export const windowSeconds = 60;
