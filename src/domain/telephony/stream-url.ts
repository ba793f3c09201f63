/**
 * Where a carrier opens the stream of a call (contract 12.6): the token opens it, the generation says which
 * host of the call it belongs to.
 */
export interface StreamAddress {
  /** Base URL of the host's sockets, `ws://` or `wss://`. */
  publicUrl: string;
  agentId: number;
  organizationId: number;
  callId: number;
  token: string;
  generation: number;
}

export function streamUrl({
  publicUrl,
  agentId,
  organizationId,
  callId,
  token,
  generation,
}: StreamAddress): string {
  return `${publicUrl.replace(/\/+$/, '')}/api/v1/telephony/ws/${agentId}/${organizationId}/${callId}/${token}?generation=${generation}`;
}

/** Of which generation a stream is by its address; null where that does not say. */
export function generationIn(url: string): number | null {
  const [, generation] = /[?&]generation=(\d{1,6})(?:&|$)/.exec(url) ?? [];
  return generation === undefined ? null : Number(generation);
}
