import type { StreamRequest } from '../../services/media/index.ts';
import type { BrowserRequest } from './browser-socket.ts';

/** What a socket asks for by its URL. */
export type Wanted =
  | { kind: 'carrier'; request: StreamRequest }
  | { kind: 'browser'; request: BrowserRequest }
  /** WebRTC, which we do not support (contract 15.2). */
  | { kind: 'signaling' }
  /** One of our paths with invalid parameters. */
  | { kind: 'malformed' }
  | { kind: 'unknown' };

const id = /^[1-9]\d{0,14}$/;

/** Browsers cannot set headers, so their token is in the query or is the second subprotocol. */
export function wantedBy({
  url = '/',
  protocols = [],
}: {
  url?: string | undefined;
  protocols?: readonly string[];
}): Wanted {
  const address = URL.parse(url, 'ws://host');
  if (address === null) return { kind: 'unknown' };
  const { pathname, searchParams } = address;
  const [root, version, ...parts] = pathname.split('/').slice(1);
  if (root !== 'api' || version !== 'v1') return { kind: 'unknown' };
  if (parts[0] === 'telephony' && parts[1] === 'ws') return carrierOf(parts.slice(2));
  if (parts[0] !== 'ws') return { kind: 'unknown' };
  if (parts[1] === 'signaling') return { kind: 'signaling' };
  return parts[1] === 'call'
    ? browserOf(parts.slice(2), searchParams.get('token') ?? protocols[1] ?? '')
    : { kind: 'unknown' };
}

function carrierOf([agentId = '', organizationId = '', callId = '', token = '', ...more]: string[]): Wanted {
  if (![agentId, organizationId, callId].every((each) => id.test(each)) || more.length > 0)
    return { kind: 'malformed' };
  return {
    kind: 'carrier',
    request: {
      agentId: Number(agentId),
      organizationId: Number(organizationId),
      callId: Number(callId),
      token,
    },
  };
}

function browserOf([agentId = '', callId = '', ...more]: string[], token: string): Wanted {
  if (!id.test(agentId) || !id.test(callId) || more.length > 0) return { kind: 'malformed' };
  return { kind: 'browser', request: { agentId: Number(agentId), callId: Number(callId), token } };
}
