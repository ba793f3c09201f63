/** Headers that control the connection (RFC 9110 7.6.1), or the target and the length of a request. */
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

/** True for a header that requests to customers' endpoints must not carry. */
export function isConnectionHeader(name: string): boolean {
  return connectionHeaders.has(name.toLowerCase());
}

/**
 * True for a header that a webhook node cannot set, because it controls the connection or is the service's
 * own (contract 9.2).
 */
export function isRefusedHeader(name: string): boolean {
  const trimmed = name.trim();
  return isConnectionHeader(trimmed) || trimmed.toLowerCase().startsWith('webhook-');
}
