/** They steer the connection itself (RFC 9110 7.6.1) or decide where a request goes and where it ends. */
const connectionHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** True for a header that no request to a customer's endpoint may carry. */
export function isConnectionHeader(name: string): boolean {
  return connectionHeaders.has(name.toLowerCase());
}

/**
 * True for a header that a webhook node cannot set: it steers the connection or is the service's own
 * (contract 9.2).
 */
export function isRefusedHeader(name: string): boolean {
  const trimmed = name.trim();
  return isConnectionHeader(trimmed) || trimmed.toLowerCase().startsWith('webhook-');
}
