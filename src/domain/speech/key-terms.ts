/** Recognizers accept no more. */
const maxTerms = 100;
/** Maximum characters of a term; longer ones are sentences, which do not help recognition. */
const maxTermCharacters = 100;

/**
 * The terms of an agent's `dictionary` (contract 3.2): separated by commas or line breaks, trimmed, without
 * duplicates in another case, in the written order, at most 100. The first spelling of a term is kept.
 */
export function keyTermsOf(dictionary: string): string[] {
  const terms = new Map<string, string>();
  for (const written of dictionary.split(/[,\n\r]/)) {
    const term = written.trim().replace(/\s+/g, ' ');
    const key = term.toLowerCase();
    if (term !== '' && term.length <= maxTermCharacters && !terms.has(key)) terms.set(key, term);
    if (terms.size === maxTerms) break;
  }
  return [...terms.values()];
}
