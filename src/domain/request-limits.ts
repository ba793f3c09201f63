/** Limits of authenticated requests. */
export type CallerLimits = Readonly<Record<'reads' | 'writes' | 'calls', number>>;

/** Maximum number of requests per minute, by holder. A session counts as a key of its user. */
export interface RequestLimits {
  key: CallerLimits;
  organization: CallerLimits;
  /** Downloads are not authenticated, so they count for an IPv4 address or the /64 of an IPv6 one. */
  network: { downloads: number };
}

/** Length of a window in seconds; it begins with its first request. */
export const windowSeconds = 60;
