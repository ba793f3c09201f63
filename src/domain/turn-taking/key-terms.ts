import { own, type JsonObject } from '../graph/definition.ts';

/** Recognizers take no more. */
export const mostKeyTerms = 100;

/** The words and phrases of `dictionary`, for the recognizer: parted by commas, trimmed, each once (contract 3.2). */
export function keyTermsOf(settings: JsonObject): string[] {
  const dictionary = own(settings, 'dictionary');
  if (typeof dictionary !== 'string') return [];
  const terms = dictionary.split(',').map((term) => term.trim()).filter((term) => term !== '');
  const isFirst = (term: string, index: number) => terms.findIndex((each) => each.toLowerCase() === term.toLowerCase()) === index;
  return terms.filter(isFirst).slice(0, mostKeyTerms);
}
