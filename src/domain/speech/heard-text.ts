/** How far a clause got at the other end of the line. */
export interface HeardClause {
  text: string;
  heardMs: number;
  /** Of the whole clause, estimated while more of its sound may come. */
  totalMs: number;
  /** All of it was heard. */
  isWhole: boolean;
}

/**
 * What was heard of a clause: in proportion to its sound, cut at the end of a word. Vendors
 * say nothing of where words are, so with real voices it is right to a word or two; a word that was not heard
 * is rather left out.
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
