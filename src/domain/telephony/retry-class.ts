/**
 * What the retry plan makes of a call's outcome (contract 8.4, last column). `none`: a person was reached.
 * `never`: the number reaches no one. `capacity` and `provider` are not the contact's fault and spend no
 * attempt.
 */
export type RetryClass =
  | 'none'
  | 'busy'
  | 'no_answer'
  | 'declined'
  | 'voicemail'
  | 'never'
  | 'capacity'
  | 'provider';
