/** Recognizers take no more. */
const maxTerms = 100;
/** Of one term, in characters; longer ones are sentences and help nobody. */
const longestTerm = 100;

/**
 * The terms of an agent's `dictionary` (contract 3.2): separated by commas or lines, trimmed, each once
 * whatever its case, in the order in which they were written, at most 100. The first way to write a term is
 * the one that is kept.
 */
export function keyTermsOf(dictionary: string): string[] {
  const terms = new Map<string, string>();
  for (const written of dictionary.split(/[,\n\r]/)) {
    const term = written.trim().replace(/\s+/g, ' ');
    const key = term.toLowerCase();
    if (term !== '' && term.length <= longestTerm && !terms.has(key)) terms.set(key, term);
    if (terms.size === maxTerms) break;
  }
  return [...terms.values()];
}
