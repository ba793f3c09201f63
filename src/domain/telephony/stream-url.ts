/**
 * Identifies the stream of a call for a carrier (contract 12.6): the token opens it, and the generation says
 * which host of the call it belongs to.
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

/** The generation in the URL of a stream; null if it has none. */
export function generationIn(url: string): number | null {
  const [, generation] = /[?&]generation=(\d{1,6})(?:&|$)/.exec(url) ?? [];
  return generation === undefined ? null : Number(generation);
}
