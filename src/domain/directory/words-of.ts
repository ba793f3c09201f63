import type { CellFinding, FindingCode } from './findings.ts';

export interface FindingWords {
  message: string;
  suggestion: string;
}

/**
 * What a finding means and what to do about it, for the error file and for lists; no cell's text is in it.
 */
export function wordsOf({ code, otherRow }: Pick<CellFinding, 'code' | 'otherRow'>): FindingWords {
  if (code === 'duplicate' && otherRow !== undefined)
    return { ...words.duplicate, message: `The number is that of row ${otherRow} too` };
  return words[code];
}

const words: Record<FindingCode, FindingWords> = {
  phone_missing: { message: 'The row has no phone number', suggestion: 'Fill it in, or delete the row' },
  phone_invalid: {
    message: 'This is no phone number of any country',
    suggestion: 'Look for missing or extra digits; write it with + and country code',
  },
  phone_letters: {
    message: 'There are letters in the phone number',
    suggestion: 'Leave only the number in the cell, and put the rest into a column of its own',
  },
  phone_scientific: {
    message: 'A spreadsheet shortened the number to a form like 1.41555E+10, and digits are lost',
    suggestion:
      'Format the column as text, fill in the numbers again from their source, and save the file anew',
  },
  phone_decimal: {
    message: 'The number is written as an amount, with decimals or thousands',
    suggestion: 'Format the column as text or as a whole number, and save the file anew',
  },
  phone_several: {
    message: 'There is more than one number in the cell',
    suggestion: 'Leave one number, and make a row of its own for every other one',
  },
  phone_premium: {
    message: 'This is a premium-rate number, which is not called',
    suggestion: 'Use an ordinary number of this contact, or delete the row',
  },
  phone_emergency: {
    message: 'This is an emergency number, which is never called',
    suggestion: 'Use an ordinary number of this contact, or delete the row',
  },
  phone_toll_free: {
    message: 'This is a toll-free number; it is called, and usually a company answers',
    suggestion: 'Nothing, if that is meant',
  },
  phone_no_country: {
    message: 'The number has no country code',
    suggestion: 'Choose the default country of the file, or write the number with + and country code',
  },
  phone_extension: {
    message: 'The number has an extension, which is not dialed',
    suggestion: 'Nothing, if whoever answers is meant; else use a direct number',
  },
  duplicate: {
    message: 'The number is in the file more than once',
    suggestion: 'Delete one of the rows, or choose that all of them are kept',
  },
  suppressed: {
    message: 'The number is on the suppression list',
    suggestion: 'Nothing; remove it from the list only when the person asked for calls again',
  },
  do_not_call: {
    message: 'The row says that this contact is not to be called',
    suggestion: 'Nothing, or empty that cell when it is wrong',
  },
  zone_unknown: {
    message: 'This is no name of a time zone; the zone of the number counts',
    suggestion: 'Write an IANA name such as Europe/Berlin or America/New_York',
  },
  priority_invalid: {
    message: 'The priority is no whole number; it counts as 0',
    suggestion: 'Write a whole number; higher ones are called earlier',
  },
  identifier_scientific: {
    message:
      "A spreadsheet shortened the customer's id to a form like 4.90123E+17, so that several customers may have the same",
    suggestion: 'Format the column as text, fill in the ids again from their source, and save the file anew',
  },
  identifier_decimal: {
    message:
      "The customer's id ends with decimals like 12345.0, as a spreadsheet or a program writes a number",
    suggestion:
      'Nothing, if that is the id; else format the column as text or as a whole number, and save the file anew',
  },
  identifier_too_long: {
    message: "The customer's id has more than 255 letters",
    suggestion: 'Choose the column of the ids, or shorten them',
  },
  variable_empty: {
    message: 'The agent uses this column without a default text, and the cell is empty',
    suggestion: 'Fill in the cell, or give the variable a default text in the agent',
  },
  formula_error: {
    message: 'The formula in the cell has failed; the value counts as empty',
    suggestion: 'Mend the formula, or write the value itself',
  },
  formula_result: {
    message: 'The cell is a formula; the result that was saved with the file counts',
    suggestion: 'Look whether it is the right value; if not, open the file, let it calculate, and save it',
  },
  digits_lost: {
    message: 'A number of more than 15 digits was kept as a number, and its last digits are lost',
    suggestion: 'Format the column as text, fill in the value again from its source, and save the file anew',
  },
  cell_too_long: {
    message: 'There is too much text in the row: a cell holds 32,767 characters at most, a row 262,144',
    suggestion: 'Shorten the text; when many rows are joined into one, look for a quote that is missing',
  },
  cells_missing: {
    message: 'The row has fewer cells than there are columns; the last ones count as empty',
    suggestion: 'Look whether all values stand under their column',
  },
  cells_extra: {
    message: 'The row has more cells than there are columns; those behind the last column are left out',
    suggestion: 'Put texts that contain the separator into quotes',
  },
  hidden_row: {
    message: 'The row is hidden in the workbook; it counts like any other',
    suggestion: 'Delete it when it is not to be called',
  },
  quotes_broken: {
    message: 'A quote in the row does not close where a cell ends; the text was taken letter by letter',
    suggestion: 'Double quotes inside of texts, and put the whole text into quotes',
  },
  text_damaged: {
    message: 'There are characters that mean nothing in the encoding of the file',
    suggestion: 'Choose another encoding, or write the text again',
  },
};
