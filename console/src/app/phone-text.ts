/** How phone numbers are written: in the international format, or so that only their country and end are seen. */

/** Calling codes of the ITU, which begin with the digit of a zone and are of 1 to 3 digits. */
const callingCode = /^\+(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/;

/** Whether a text is a whole number in E.164; not an address, a number of a PBX, or a number that the API masked. */
export const isWholeNumber = (text: string): boolean => /^\+\d{7,15}$/.test(text);

/** `+49 ••• ••123`, which does not tell the length either. Other texts with so many digits lose all but the end. */
export function maskedNumber(text: string): string {
  const digits = text.replaceAll(/\D/g, '');
  if (digits.length < 6) return text;
  const code = isWholeNumber(`+${digits}`) && text.startsWith('+') ? callingCode.exec(`+${digits}`)?.[0] : '';
  return `${code ?? ''} ••• ••${digits.slice(-3)}`.trimStart();
}
