/**
 * The outcome of one attempt, for the retry plan (product words in docs/campaigns.md). A closed list: every
 * outcome has its rule.
 *
 * A person was reached: `reached`, `short_answer` (gone within 5 s), `callback`, `opted_out`, `wrong_number`.
 * No person was reached: `no_answer`, `busy`, `declined`, `voicemail` (no message left), `voicemail_message`,
 * `invalid_number`. Not the contact's doing, so the attempt is not spent: `provider` (unless a person had
 * answered), `capacity`, `own_fault`, `not_dialed`. `unknown`: the phone may have rung. `suppressed`,
 * `canceled`: the row is over.
 */
export const targetOutcomes = [
  'reached',
  'short_answer',
  'callback',
  'opted_out',
  'wrong_number',
  'no_answer',
  'busy',
  'declined',
  'voicemail',
  'voicemail_message',
  'invalid_number',
  'provider',
  'capacity',
  'own_fault',
  'not_dialed',
  'unknown',
  'suppressed',
  'canceled',
] as const;

/** Outcomes of attempts that certainly did not ring. They count for no cap. */
export const unrungOutcomes: readonly string[] = ['capacity', 'own_fault', 'not_dialed', 'suppressed'];

export type TargetOutcome = (typeof targetOutcomes)[number];
