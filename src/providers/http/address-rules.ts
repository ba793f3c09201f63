import ipaddr from 'ipaddr.js';
import type { Refused, RefusalReason } from './port.ts';

/** What the operator allows customers' URLs to reach. */
export interface AddressRules {
  allowHttp: boolean;
  /** Hosts that may be private, from `parseAllowedHosts`. */
  allowedHosts: readonly AllowedHost[];
}

/** One entry of the operator's list. */
export interface AllowedHost {
  hostname: string;
  /** Null = the ports that are open for all hosts. */
  port: number | 'any' | null;
}

export interface JudgedUrl {
  kind: 'allowed';
  url: URL;
  port: number;
  /** True if the operator listed this host, so that its addresses are not judged. */
  mayBePrivate: boolean;
}

const maxUrlLength = 8192;
const openPorts: ReadonlySet<number> = new Set([443, 80, 8443]);

/** Internal addresses within public ranges: the host agent of Azure machines. */
const internalAddresses: ReadonlySet<string> = new Set(['168.63.129.16']);

const globalUnicastIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

export function refuse(reason: RefusalReason, message: string): Refused {
  return { kind: 'refused', reason, message };
}

/**
 * Judges a customer's URL as far as possible before the DNS look-up. The WHATWG parser runs first: it turns
 * `0x7f000001`, `127.1` or circled digits into the address that a socket would use. Judges literal addresses
 * here, because no look-up follows.
 */
export function judgeUrl(text: string, rules: AddressRules): JudgedUrl | Refused {
  if (text.length > maxUrlLength)
    return refuse('url_too_long', `The URL is longer than ${maxUrlLength} characters`);
  if (!URL.canParse(text)) return refuse('url_invalid', 'The URL is invalid');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return refuse('scheme_not_allowed', 'The URL must start with https://');
  if (url.protocol === 'http:' && !rules.allowHttp)
    return refuse('scheme_not_allowed', 'The URL must start with https:// (the operator may allow http)');
  if (url.username !== '' || url.password !== '')
    return refuse('credentials_in_url', 'The URL must not contain a user name or password');

  const port = portOf(url);
  const mayBePrivate = isAllowed({ hostname: bareHostname(url), port }, rules.allowedHosts);
  if (!mayBePrivate && !openPorts.has(port))
    return refuse('port_not_allowed', `Port ${port} is not allowed in customer URLs (443, 80 and 8443 are)`);
  if (!mayBePrivate && isLiteral(url) && !isPublicAddress(bareHostname(url))) return refuseAddress(url);
  return { kind: 'allowed', url, port, mayBePrivate };
}

/** The refusal is the same for literal and looked-up addresses, and does not contain the address. */
export function refuseAddress(url: URL): Refused {
  return refuse('address_not_allowed', `${url.hostname} is not a public address`);
}

/**
 * True only for addresses of the public internet; false for every special range of the registries and for
 * invalid text.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast' || internalAddresses.has(address.toString())) return false;
  return address.kind() === 'ipv4' || address.match(globalUnicastIpv6);
}

/**
 * Reads the operator's list: `host:port`, `host` for the ports 443, 80 and 8443, or `host:*` for every port;
 * IPv6 in brackets before a port. Throws TypeError for any other entry.
 */
export function parseAllowedHosts(entries: readonly string[]): AllowedHost[] {
  return entries.map((given) => {
    const isAnyPort = given.endsWith(':*');
    const entry = isAnyPort ? given.slice(0, -2) : given;
    const isBareIpv6 = ipaddr.IPv6.isValid(entry);
    const text = `http://${isBareIpv6 ? `[${entry}]` : entry}`;
    const url = URL.canParse(text) ? new URL(text) : null;
    if (
      entry.includes('*') ||
      url === null ||
      url.pathname !== '/' ||
      url.username !== '' ||
      url.search !== '' ||
      url.hash !== ''
    ) {
      throw new TypeError(`"${given}" is neither a host nor host:port; leave out scheme and path`);
    }
    const hasPort = !isBareIpv6 && /:\d+$/.test(entry);
    if (isAnyPort && hasPort) throw new TypeError(`"${given}" has two ports`);
    return { hostname: bareHostname(url), port: isAnyPort ? 'any' : hasPort ? portOf(url) : null };
  });
}

function isAllowed(
  { hostname, port }: { hostname: string; port: number },
  allowed: readonly AllowedHost[],
): boolean {
  return allowed.some(
    (each) =>
      each.hostname === hostname &&
      // guarantee: allowed-private-host-names-port
      (each.port === 'any' || (each.port === null ? openPorts.has(port) : each.port === port)),
  );
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

function isLiteral(url: URL): boolean {
  return ipaddr.isValid(bareHostname(url));
}

/** The host name without the brackets of IPv6 and without the final dot. */
function bareHostname(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}
