/**
 * The URL at which a browser opens the socket of its call (contract 15.2, `/ws/call`). It does not contain
 * the token, which the browser sends separately.
 */
export function webCallUrl({
  publicUrl,
  agentId,
  callId,
}: {
  /** Base URL of the host's sockets, `ws://` or `wss://`. */ publicUrl: string;
  agentId: number;
  callId: number;
}): string {
  return `${publicUrl.replace(/\/+$/, '')}/api/v1/ws/call/${agentId}/${callId}`;
}
