/** Codes of the error file. The list is closed, so that each has a message and a suggestion. */
export const findingCodes = [
  'phone_missing',
  'phone_invalid',
  'phone_short',
  'phone_long',
  'phone_date',
  'phone_unassigned',
  'phone_letters',
  'phone_scientific',
  'phone_decimal',
  'phone_several',
  'phone_premium',
  'phone_emergency',
  'phone_toll_free',
  'phone_no_country',
  'phone_extension',
  'duplicate',
  'suppressed',
  'do_not_call',
  'zone_unknown',
  'priority_invalid',
  'identifier_scientific',
  'identifier_decimal',
  'identifier_too_long',
  'variable_empty',
  'formula_error',
  'formula_result',
  'digits_lost',
  'cell_too_long',
  'cells_missing',
  'cells_extra',
  'hidden_row',
  'quotes_broken',
  'text_damaged',
] as const;

export type FindingCode = (typeof findingCodes)[number];

/**
 * A finding about a row. Errors leave the row out of campaigns, warnings do not. The words are made from the
 * code when they are shown.
 */
export interface CellFinding {
  code: FindingCode;
  level: 'error' | 'warning';
  /** Name of the column; null = the whole row. */
  column: string | null;
  /** Of a `duplicate`: the row of the first contact with the number. */
  otherRow?: number;
}
