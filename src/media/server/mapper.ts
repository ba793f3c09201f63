import type { GoneReason } from '../leg.ts';
import type { WebRefusal } from './deps.ts';

/** The last message to a browser (contract 15.2). */
export function toCallEnded(callId: number, reason: GoneReason) {
  return { type: 'call-ended', workflow_run_id: callId, reason };
}

/** Words of contract 15.2 where it has them. */
const errors = {
  unknown: { error_type: 'workflow_run_not_found', message: 'There is no such call' },
  wrong_token: {
    error_type: 'invalid_token',
    message: 'The token is not of this call, or was given too long ago',
  },
  taken: { error_type: 'workflow_run_already_active', message: 'The call was begun already' },
  over: { error_type: 'workflow_run_already_completed', message: 'The call is over' },
  full: { error_type: 'host_full', message: 'This host takes no more calls now' },
  limit: {
    error_type: 'concurrency_limit_exceeded',
    message: 'The organization has as many calls as it may have',
  },
  not_started: { error_type: 'call_not_started', message: 'The call could not be started; make another one' },
  unsupported: { error_type: 'unsupported', message: 'WebRTC is not supported; use /ws/call' },
} as const satisfies Record<
  WebRefusal | 'not_started' | 'unsupported',
  { error_type: string; message: string }
>;

/** Why a browser is sent away; the socket is closed after it. */
export function toCallError(reason: keyof typeof errors) {
  return { type: 'error', payload: errors[reason] };
}
