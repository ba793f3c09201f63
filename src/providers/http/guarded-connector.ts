import { lookup } from 'node:dns/promises';
import { Socket, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { isPublicAddress, judgeUrl, refuseAddress, type AddressRules } from './address-rules.ts';
import type { FailureReason, Refused } from './port.ts';
import { guarded } from '../../runtime/guarded.ts';

/** Finds all addresses of a host; replaced in tests. */
export type Resolver = (hostname: string) => Promise<ResolvedAddress[]>;

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

/** Opens a connection only to one of the given addresses. */
export type ConnectTo = (addresses: readonly ResolvedAddress[]) => buildConnector.connector;

export interface ConnectorOptions {
  rules: AddressRules;
  resolve: Resolver;
  connectTo: ConnectTo;
  connectTimeoutMs: number;
}

/** Our rules forbid the connection. */
export class ConnectionRefusedByRules extends Error {
  readonly refusal: Refused;

  constructor(refusal: Refused) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** The connection failed: it timed out, or the host has no address. */
export class ConnectionFailed extends Error {
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** The operating system's look-up, including /etc/hosts. */
export const systemResolver: Resolver = async (hostname) => {
  const addresses = await lookup(hostname, { all: true, order: 'verbatim' });
  return addresses.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
};

/**
 * Connects by TCP or TLS to the given addresses, which replace the DNS look-up. Trusts the system's
 * certificate authorities unless PEM ones are given.
 */
export function connectPinned(trustedCertificates?: string[]): ConnectTo {
  return (addresses) =>
    buildConnector({
      timeout: 0,
      maxCachedSessions: 0,
      autoSelectFamily: true,
      lookup: pinnedLookup(addresses),
      ...(trustedCertificates === undefined ? {} : { ca: trustedCertificates }),
    });
}

/**
 * Opens each new connection: looks up the host, judges **every** address, and connects to exactly those
 * addresses. SNI, the certificate check and `Host` keep the host name. The name is never looked up a second
 * time, so a changed DNS answer (DNS rebinding) has no effect.
 */
export function createGuardedConnector({
  rules,
  resolve,
  connectTo,
  connectTimeoutMs,
}: ConnectorOptions): buildConnector.connector {
  return (target, callback) => {
    let socket: Socket | undefined;
    let settled = false;
    const settle: buildConnector.Callback = (...outcome) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      callback(...outcome);
    };
    const giveUp = (): void => {
      const why = `No connection to ${target.hostname} within ${connectTimeoutMs} ms`;
      settle(new ConnectionFailed('connect_timeout', why), null);
      socket?.destroy();
    };
    const timer = setTimeout(
      guarded(giveUp, () => socket?.destroy()),
      connectTimeoutMs,
    );

    const connect = async () => {
      const addresses = await checkedAddresses({ target, rules, resolve });
      if (settled) return;
      const started: unknown = connectTo(addresses)(target, settle);
      // undici's connector returns its socket at once, although its types omit it; the timer needs it.
      if (started instanceof Socket) socket = started;
    };
    connect().catch((error: unknown) =>
      settle(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
}

async function checkedAddresses({
  target,
  rules,
  resolve,
}: {
  target: buildConnector.Options;
  rules: AddressRules;
  resolve: Resolver;
}): Promise<ResolvedAddress[]> {
  const judged = judgeUrl(`${target.protocol}//${target.host ?? target.hostname}`, rules);
  if (judged.kind === 'refused') throw new ConnectionRefusedByRules(judged);
  const addresses = await resolve(target.hostname).catch((cause: unknown) => {
    throw new ConnectionFailed('dns', `${target.hostname} has no address`, { cause });
  });
  if (addresses.length === 0) throw new ConnectionFailed('dns', `${target.hostname} has no address`);
  if (!judged.mayBePrivate && !addresses.every(({ address }) => isPublicAddress(address)))
    throw new ConnectionRefusedByRules(refuseAddress(judged.url));
  return addresses;
}

function pinnedLookup(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    if (options.all === true) {
      callback(null, [...addresses]);
      return;
    }
    const first = addresses[0];
    if (first === undefined) callback(new Error('no address'), '', 0);
    else callback(null, first.address, first.family);
  };
}
