const numberLike = /\+?\d[\d\s().-]{5,}\d/g;

/** A text in which nothing can be dialed any more. */
export function withoutNumbers(text: string): string {
  return text.replaceAll(numberLike, '[number]');
}
