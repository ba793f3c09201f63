/** How much of a clause the person heard. */
export interface HeardClause {
  text: string;
  heardMs: number;
  /** Length of the whole clause; an estimate while more of its sound may come. */
  totalMs: number;
  /** All of it was heard. */
  isWhole: boolean;
}

/**
 * The words of a clause that the person heard, in proportion to its sound. Vendors do not report word
 * positions, so with real voices this is accurate to a word or two; in doubt a word is left out.
 */
export function heardText({ text, heardMs, totalMs, isWhole }: HeardClause): string {
  if (isWhole) return text;
  const bytes = bytesOf(text);
  const heardBytes = (heardMs / Math.max(totalMs, 1)) * bytes;
  let end = 0;
  for (const word of text.matchAll(/\S+/g)) {
    const wordEnd = word.index + word[0].length;
    if (bytesOf(text.slice(0, wordEnd)) > heardBytes) break;
    end = wordEnd;
  }
  return text.slice(0, end);
}

const encoder = new TextEncoder();
const bytesOf = (text: string): number => encoder.encode(text).length;
