/**
 * What another attempt to reach a person makes of a call's outcome (contract 8.4, last column). `none`:
 * somebody was reached. `never`: nobody can be reached there. `capacity` and `provider` are not the person's
 * doing and spend no attempt of theirs.
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
