import type { QaNode } from './node.ts';

/** The properties of an ended call that decide whether it is judged. */
export interface EndedCall {
  uuid: string;
  durationSec: number;
  disposition: string | null;
}

/**
 * Why a call is not judged (contract 9.5), as its record shows it; null when it is judged. The checks are in
 * this order: duration, voicemail, sampling.
 */
export function skipReason(
  { id, minCallDurationSec, judgesVoicemail, samplePercent }: QaNode,
  { uuid, durationSec, disposition }: EndedCall,
): string | null {
  if (durationSec < minCallDurationSec)
    return `call duration (${durationSec.toFixed(1)}s) below minimum (${minCallDurationSec}s)`;
  if (disposition === 'voicemail_detected' && !judgesVoicemail) return 'voicemail calls are not judged';
  return isSampled({ callUuid: uuid, nodeId: id, percent: samplePercent })
    ? null
    : `excluded by sampling (${samplePercent}% of calls)`;
}

/**
 * Whether a call is among the `percent` that a node judges. It depends on call and node alone, so a retry on
 * any machine gets the same answer, and two nodes of one graph sample independently.
 */
export function isSampled({
  callUuid,
  nodeId,
  percent,
}: {
  callUuid: string;
  nodeId: string;
  percent: number;
}): boolean {
  return (hashOf(`${callUuid} ${nodeId}`) % 10_000) / 100 < percent;
}

/** FNV-1a with a final mix: 32 bits, evenly distributed. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
