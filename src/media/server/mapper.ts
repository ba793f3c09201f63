import type { GoneReason } from '../leg.ts';
import type { WebRefusal } from './deps.ts';

/** The last message to a browser (contract 15.2). */
export function toCallEnded(callId: number, reason: GoneReason) {
  return { type: 'call-ended', workflow_run_id: callId, reason };
}

/** `error_type` as in contract 15.2 where it has one. */
const errors = {
  unknown: { error_type: 'workflow_run_not_found', message: 'There is no such call' },
  wrong_token: {
    error_type: 'invalid_token',
    message: 'The token belongs to another call or has expired',
  },
  taken: { error_type: 'workflow_run_already_active', message: 'The call has already been started' },
  over: { error_type: 'workflow_run_already_completed', message: 'The call is over' },
  full: { error_type: 'host_full', message: 'This host accepts no calls at the moment' },
  limit: {
    error_type: 'concurrency_limit_exceeded',
    message: 'The organization has reached its maximum of concurrent calls',
  },
  not_started: {
    error_type: 'call_not_started',
    message: 'The call could not be started; create another one',
  },
  unsupported: { error_type: 'unsupported', message: 'WebRTC is not supported; use /ws/call' },
} as const satisfies Record<
  WebRefusal | 'not_started' | 'unsupported',
  { error_type: string; message: string }
>;

/** The reason why a browser's call is refused. The socket is closed after it. */
export function toCallError(reason: keyof typeof errors) {
  return { type: 'error', payload: errors[reason] };
}
