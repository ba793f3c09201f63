import type { CellFinding, FindingCode } from './findings.ts';

export interface FindingWords {
  message: string;
  suggestion: string;
}

/**
 * The message and the suggestion of a finding, for the error file and for lists. They contain no text of a
 * cell. `placeOf` names another row; in a file with line numbers, by its line.
 */
export function wordsOf(
  { code, otherRow }: Pick<CellFinding, 'code' | 'otherRow'>,
  placeOf: (row: number) => string = (row) => `Row ${row}`,
): FindingWords {
  if (code === 'duplicate' && otherRow !== undefined)
    return { ...words.duplicate, message: `${placeOf(otherRow)} has the same number` };
  return words[code];
}

const words: Record<FindingCode, FindingWords> = {
  phone_missing: { message: 'The row has no phone number', suggestion: 'Fill it in, or delete the row' },
  phone_invalid: {
    message: 'This is not a phone number of any country',
    suggestion: 'Look for missing or extra digits; write it with + and country code',
  },
  phone_short: {
    message: 'The number is too short',
    suggestion: 'Look for missing digits; write it with + and country code',
  },
  phone_long: {
    message: 'The number is too long',
    suggestion: 'Look for extra digits, or for two numbers in one cell',
  },
  phone_date: {
    message: 'The cell holds a date or a time, not a phone number',
    suggestion:
      'Choose the column with the phone numbers; if this is it, format it as text, and fill in the number again',
  },
  phone_unassigned: {
    message:
      'No numbering plan assigns this number; it is called anyway, unless the mapping leaves such numbers out',
    suggestion: 'Look for missing or extra digits',
  },
  phone_letters: {
    message: 'There are letters in the phone number',
    suggestion: 'Leave only the number in the cell, and put the rest in a separate column',
  },
  phone_scientific: {
    message: 'A spreadsheet shortened the number to a form like 1.41555E+10, and digits are lost',
    suggestion:
      'Format the column as text, fill in the numbers again from their source, and save the file again',
  },
  phone_decimal: {
    message: 'The number is written as an amount, with decimals or thousands separators',
    suggestion: 'Format the column as text or as a whole number, and save the file again',
  },
  phone_several: {
    message: 'There is more than one number in the cell, or a range of numbers',
    suggestion: 'Leave one number, and add a separate row for each of the others',
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
    suggestion: 'None if this is intended',
  },
  phone_no_country: {
    message: 'The number has no country code',
    suggestion: 'Choose the default country of the file, or write the number with + and country code',
  },
  phone_extension: {
    message: 'The number has an extension, which is not dialed',
    suggestion: 'None if it does not matter who answers; otherwise use a direct number',
  },
  duplicate: {
    message: 'The number is in the file more than once',
    suggestion: 'Delete one of the rows, or choose to keep all of them',
  },
  suppressed: {
    message: 'The number is on the suppression list',
    suggestion: 'None; remove the number from the list only if the person asked for calls again',
  },
  do_not_call: {
    message: 'The row says that this contact must not be called',
    suggestion: 'None, or empty that cell if it is wrong',
  },
  zone_unknown: {
    message: 'This is not the name of a time zone; the zone of the number is used',
    suggestion: 'Write an IANA name such as Europe/Berlin or America/New_York',
  },
  priority_invalid: {
    message: 'The priority is not a whole number; it counts as 0',
    suggestion: 'Write a whole number; higher ones are called earlier',
  },
  identifier_scientific: {
    message:
      "A spreadsheet shortened the customer's id to a form like 4.90123E+17, so that several customers may have the same",
    suggestion: 'Format the column as text, fill in the ids again from their source, and save the file again',
  },
  identifier_decimal: {
    message: "The customer's id ends with decimals like 12345.0, as spreadsheets and programs write numbers",
    suggestion:
      'None if that is the id; otherwise format the column as text or as a whole number, and save the file again',
  },
  identifier_too_long: {
    message: "The customer's id has more than 255 characters",
    suggestion: 'Choose the column of the ids, or shorten them',
  },
  variable_empty: {
    message: 'The agent uses this column without a default text, and the cell is empty',
    suggestion: 'Fill in the cell, or give the variable a default text in the agent',
  },
  formula_error: {
    message: 'The formula in the cell failed; the value counts as empty',
    suggestion: 'Fix the formula, or write the value itself',
  },
  formula_result: {
    message: 'The cell is a formula; the result that was saved with the file is used',
    suggestion: 'Check that the value is right; if not, open the file, recalculate, and save it',
  },
  digits_lost: {
    message: 'A number of more than 15 digits was stored as a number, and its last digits are lost',
    suggestion: 'Format the column as text, fill in the value again from its source, and save the file again',
  },
  cell_too_long: {
    message: 'The row has too much text: a cell holds 32,767 characters at most, a row 262,144',
    suggestion: 'Shorten the text; if many rows are joined into one, look for a missing quote',
  },
  cells_missing: {
    message: 'The row has fewer cells than columns; the last columns count as empty',
    suggestion: 'Check that all values are in the right columns',
  },
  cells_extra: {
    message: 'The row has more cells than columns; those after the last column are ignored',
    suggestion: 'Put texts that contain the separator in quotes',
  },
  hidden_row: {
    message: 'The row is hidden in the workbook; it counts like any other',
    suggestion: 'Delete it if it must not be called',
  },
  quotes_broken: {
    message: 'A quote in the row does not end with its cell; the text was read as it stands',
    suggestion: 'Double the quotes inside the text, and put the whole text in quotes',
  },
  text_damaged: {
    message: 'Letters are damaged: the text was read, or written, in another encoding than its own',
    suggestion: 'Choose another encoding, or correct the text',
  },
};
