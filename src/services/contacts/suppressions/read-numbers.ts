import { validationRecord } from '../../../contract/lax/records.ts';
import { ValidationError } from '../../../domain/errors.ts';
import { phoneNumberPattern } from '../../../domain/phone/dialed.ts';
import { phoneDigits } from '../../../domain/phone/digits.ts';

/**
 * The numbers as they are stored, each once, in order. Throws ValidationError with a record for each invalid
 * one (contract 5.4).
 */
export function readNumbers(texts: readonly string[]): string[] {
  const read = texts.map((text) => phoneDigits(text));
  const faults = texts.flatMap((input, index) => (read[index] === null ? [faultAt(index, input)] : []));
  if (faults.length > 0) throw new ValidationError('Some numbers cannot be read', { detail: faults });
  return [...new Set(read.filter((phone) => phone !== null))];
}

function faultAt(index: number, input: string) {
  const fault = {
    type: 'string_pattern_mismatch',
    msg: `String should match pattern '${phoneNumberPattern}'`,
    input,
    ctx: { pattern: phoneNumberPattern },
  };
  return validationRecord(['body', 'phone_numbers', index], fault);
}
