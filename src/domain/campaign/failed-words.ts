import type { TargetOutcome } from './outcome.ts';

const stopped = 'and the campaign was stopped before the next call';

/**
 * Why nobody will be called for a failed row any more, for people: by its reason, or by what its last call
 * came to. What was left for a further call fails by a stop alone.
 */
const words: Readonly<Record<TargetOutcome | 'window_never_opens', string>> = {
  window_never_opens: 'No moment within 31 days is within all calling hours for this contact',
  reached: `The person was talked to, ${stopped}`,
  short_answer: `The person hung up at once, ${stopped}`,
  callback: `The person asked to be called again, ${stopped}`,
  opted_out: 'The person does not want to be called again',
  wrong_number: 'The number belongs to somebody else',
  no_answer: `Nobody answered, ${stopped}`,
  busy: `The line was busy, ${stopped}`,
  declined: `The call was declined, ${stopped}`,
  voicemail: `A machine answered, ${stopped}`,
  voicemail_message: `A machine answered and a message was left, ${stopped}`,
  invalid_number: 'The number cannot be called',
  provider: 'The carrier or the network failed, and the call is not made again',
  capacity: `The carrier had no line, ${stopped}`,
  own_fault: 'The service failed before anything was dialed, and the call is not made again',
  not_dialed: `The call was kept back before it rang, ${stopped}`,
  unknown: 'It was dialed, and the carrier does not say what became of it: nobody is dialed blind',
  suppressed: 'The number is on the list of those who must not be called',
  canceled: 'The campaign was stopped before this row was called',
};

/**
 * What a failed row shows as its reason, and that in words. A reason of its own goes before its last call.
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
    message: why === null ? 'Nobody will be called for this row any more' : words[why],
  };
}
