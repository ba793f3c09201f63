import { hangupOutcome } from './hangup-causes.ts';

/**
 * The status word of a carrier's event (contract 6.8, 12.4); null for one that says nothing about the call's
 * status. Of an end the word is the outcome's where nobody was reached by the cause alone, else `completed`.
 */
export function callStatus(eventType: string, hangupCause: string | null): string | null {
  switch (eventType.replaceAll('_', '.')) {
    case 'call.initiated':
      return 'initiated';
    case 'call.ringing':
      return 'ringing';
    case 'call.answered':
      return 'in-progress';
    case 'call.hangup':
      return endStatus(hangupCause ?? 'unspecified');
    default:
      return null;
  }
}

/** Causes that an answered call has too say `completed`. */
function endStatus(cause: string): string {
  if (cause === 'normal_clearing' || cause === 'time_limit' || cause === 'unspecified') return 'completed';
  return hangupOutcome({ cause, wasAnswered: false }).disposition;
}
