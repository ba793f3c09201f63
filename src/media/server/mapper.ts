import type { GoneReason } from '../leg.ts';

/** The last message to a browser (contract 15.2). */
export function toCallEnded(callId: number, reason: GoneReason) {
  return { type: 'call-ended', workflow_run_id: callId, reason };
}
