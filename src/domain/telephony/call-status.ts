import { hangupOutcome } from './hangup-causes.ts';

/**
 * The status word of a carrier event (contract 6.8, 12.4); null for an event that does not change the status.
 * For a hang-up it is the disposition of an unanswered call if the cause proves that no one was reached, else
 * `completed`.
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

/** Answers `completed` for causes that an answered call can have, too. */
export function endStatus(cause: string): string {
  if (cause === 'normal_clearing' || cause === 'time_limit' || cause === 'unspecified') return 'completed';
  return hangupOutcome({ cause, wasAnswered: false }).disposition;
}

/** Whether a leg that ended for this cause was certainly never answered. */
export function provesNoAnswer(cause: string): boolean {
  return hangupOutcome({ cause, wasAnswered: false }).isKnown && endStatus(cause) !== 'completed';
}
