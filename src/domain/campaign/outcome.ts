/**
 * What one attempt came to, for the plan of further ones (product words in docs/campaigns.md). A closed list:
 * every outcome has its rule.
 *
 * Somebody was reached: `reached`, `short_answer` (gone within 5 s), `callback`, `opted_out`, `wrong_number`.
 * Nobody was: `no_answer`, `busy`, `declined`, `voicemail` (nothing left), `voicemail_message`,
 * `invalid_number`. Not the contact's doing, spends no attempt: `provider` (unless somebody had answered),
 * `capacity`, `own_fault`, `not_dialed`. `unknown`: it may have rung, nobody knows. `suppressed`, `canceled`:
 * it is over.
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

/** Of attempts that rang nobody, for certain: they count for no cap. */
export const nobodyRung: readonly string[] = ['capacity', 'own_fault', 'not_dialed', 'suppressed'];

export type TargetOutcome = (typeof targetOutcomes)[number];
