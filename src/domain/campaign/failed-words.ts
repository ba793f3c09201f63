import type { TargetOutcome } from './outcome.ts';

const stopped = 'and the campaign was stopped before the next call';

/**
 * Why no more calls are made for a failed row, for people: by its reason or the outcome of its last attempt.
 * A row that had calls left fails only because its campaign was stopped.
 */
const words: Readonly<Record<TargetOutcome | 'window_never_opens', string>> = {
  window_never_opens: 'The calling hours for this contact do not open within 31 days',
  reached: `The person was talked to, ${stopped}`,
  short_answer: `The person hung up at once, ${stopped}`,
  callback: `The person asked to be called again, ${stopped}`,
  opted_out: 'The person does not want to be called again',
  wrong_number: 'The number belongs to someone else',
  no_answer: `Nobody answered, ${stopped}`,
  busy: `The line was busy, ${stopped}`,
  declined: `The call was declined, ${stopped}`,
  voicemail: `A machine answered, ${stopped}`,
  voicemail_message: `A machine answered and a message was left, ${stopped}`,
  invalid_number: 'The number cannot be called',
  provider: 'The carrier or the network failed, and the call is not repeated',
  capacity: `The carrier had no line, ${stopped}`,
  own_fault: 'The service failed before the dial, and the call is not repeated',
  not_dialed: `The call was held back before it rang, ${stopped}`,
  unknown: 'The number was dialed, but the carrier did not report the result, so the call is not repeated',
  suppressed: 'The number is on the suppression list',
  not_allowed: 'The dial policy of the organization does not allow the number',
  canceled: 'The campaign was stopped before this row was called',
};

/**
 * The reason of a failed row and its words for people. A row's own reason goes before the outcome of its last
 * attempt.
 */
export function failedReason({
  waitReason,
  outcome,
}: {
  waitReason: string | null;
  outcome: TargetOutcome | null;
}): { code: string | null; message: string } {
  const why = waitReason === 'window_never_opens' ? waitReason : outcome;
  return {
    code: waitReason ?? outcome,
    message: why === null ? 'No more calls will be made for this row' : words[why],
  };
}
