/**
 * The hosts that a credential is for: `host` or `host:port`. Without a port only the default port of the URL's
 * scheme. Null = every host.
 */
export type AllowedHosts = readonly string[] | null;

/** The normal form of an entry; null if it is neither `host` nor `host:port`. */
export function readAllowedHost(entry: string): string | null {
  const text = `https://${entry}`;
  if (!/^[^/\\?#@{}*\s]+$/u.test(entry) || !URL.canParse(text)) return null;
  return new URL(text).host;
}

/** True if a credential for these hosts may be sent to `url`. */
export function isAllowedHost(allowed: AllowedHosts, url: string): boolean {
  if (allowed === null) return true;
  if (!URL.canParse(url)) return false;
  // guarantee: credential-sent-to-named-hosts
  return allowed.includes(new URL(url).host);
}
