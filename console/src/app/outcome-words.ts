import { hasWords, t } from './words.ts';

/** The words of an outcome: the service's own are translated, an agent's own are its words. */
export function outcomeWords(code: string): string {
  const id = `outcome.${code}`;
  if (hasWords(id)) return t(id);
  const words = code.replaceAll(/[_-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
