const numberLike = /\+?\d[\d\s().-]{5,}\d/g;

/** The text with all phone numbers replaced. */
export function withoutNumbers(text: string): string {
  return text.replaceAll(numberLike, '[number]');
}
