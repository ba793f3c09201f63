/**
 * The outcome of one attempt, for the retry plan (product words in docs/campaigns.md). A closed list: every
 * outcome has its rule.
 *
 * A person was reached: `reached`, `short_answer` (gone within 5 s), `callback`, `opted_out`, `wrong_number`.
 * No person was reached: `no_answer`, `busy`, `declined`, `voicemail` (no message left), `voicemail_message`,
 * `invalid_number`. Not the contact's doing, so the attempt is not spent: `provider` (unless a person had
 * answered), `capacity`, `own_fault`, `not_dialed`. `unknown`: the phone may have rung. `suppressed`,
 * `not_allowed` (by the dial policy), `canceled`: the row is over.
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
  'not_allowed',
  'canceled',
] as const;

/** Outcomes of attempts that certainly did not ring. They count for no cap. */
export const unrungOutcomes: readonly string[] = [
  'capacity',
  'own_fault',
  'not_dialed',
  'suppressed',
  'not_allowed',
];

/** Outcomes of attempts at which a person was spoken to. */
export const reachedOutcomes: readonly string[] = [
  'reached',
  'short_answer',
  'callback',
  'opted_out',
  'wrong_number',
];

/** Outcomes of rows that end as `processed` when no attempt is left. Others end as `failed`. */
export const processedOutcomes: readonly string[] = [
  'reached',
  'callback',
  'short_answer',
  'no_answer',
  'busy',
  'declined',
  'voicemail',
  'voicemail_message',
  'opted_out',
  'wrong_number',
];

export type TargetOutcome = (typeof targetOutcomes)[number];
