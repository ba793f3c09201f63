import ipaddr from 'ipaddr.js';
import type { Refused, RefusalReason } from './port.ts';

/** What the operator lets customer URLs reach. */
export interface AddressRules {
  allowHttp: boolean;
  /** Hosts that may be private, from `parseAllowedHosts`. */
  allowedHosts: readonly AllowedHost[];
}

/** One entry of the operator's list: any port of the host when `port` is null. */
export interface AllowedHost {
  hostname: string;
  port: number | null;
}

export interface JudgedUrl {
  kind: 'fits';
  url: URL;
  port: number;
  /** The operator listed this host: its addresses are not judged. */
  mayBePrivate: boolean;
}

const maxUrlLength = 8192;
const openPorts: ReadonlySet<number> = new Set([443, 80, 8443]);

/** Public by number, yet it answers only inside one cloud: the host agent of Azure machines. */
const internalInSpiteOfRange: ReadonlySet<string> = new Set(['168.63.129.16']);

const globalUnicastIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

export function refuse(reason: RefusalReason, message: string): Refused {
  return { kind: 'refused', reason, message };
}

/**
 * Judges a customer's URL by everything that can be judged before the look-up. The WHATWG parser comes first:
 * it turns `0x7f000001`, `127.1` or circled digits into the address that a socket would see. A literal
 * address is judged here, because no look-up will follow.
 */
export function judgeUrl(text: string, rules: AddressRules): JudgedUrl | Refused {
  if (text.length > maxUrlLength)
    return refuse('url_too_long', `The URL is longer than ${maxUrlLength} characters`);
  if (!URL.canParse(text)) return refuse('url_invalid', 'The URL cannot be read');
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
    return refuse('port_not_allowed', `Port ${port} is not open to customer URLs (443, 80 and 8443 are)`);
  if (!mayBePrivate && isLiteral(url) && !isPublicAddress(bareHostname(url))) return refuseAddress(url);
  return { kind: 'fits', url, port, mayBePrivate };
}

/** The same words whether the address was literal or looked up, and never the address itself. */
export function refuseAddress(url: URL): Refused {
  return refuse('address_not_allowed', `${url.hostname} is not a public address`);
}

/**
 * True for addresses of the public internet alone; every special range of the registries is false, and so is
 * what cannot be read.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast' || internalInSpiteOfRange.has(address.toString())) return false;
  return address.kind() === 'ipv4' || address.match(globalUnicastIpv6);
}

/**
 * Reads the operator's list (`host` or `host:port`, IPv6 in brackets when a port follows); throws on what is
 * neither.
 */
export function parseAllowedHosts(entries: readonly string[]): AllowedHost[] {
  return entries.map((entry) => {
    const isBareIpv6 = ipaddr.IPv6.isValid(entry);
    const text = `http://${isBareIpv6 ? `[${entry}]` : entry}`;
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url === null || url.pathname !== '/' || url.username !== '' || url.search !== '' || url.hash !== '') {
      throw new TypeError(`"${entry}" is neither a host nor host:port; leave out scheme and path`);
    }
    const hasPort = !isBareIpv6 && /:\d+$/.test(entry);
    return { hostname: bareHostname(url), port: hasPort ? portOf(url) : null };
  });
}

function isAllowed(
  { hostname, port }: { hostname: string; port: number },
  allowed: readonly AllowedHost[],
): boolean {
  return allowed.some((each) => each.hostname === hostname && (each.port === null || each.port === port));
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

function isLiteral(url: URL): boolean {
  return ipaddr.isValid(bareHostname(url));
}

/** Without the brackets of IPv6 and without the root's dot. */
function bareHostname(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}
