import { createClauseCutter } from './clauses.ts';

/**
 * The clauses of a text that is there as a whole: together they are the text, but for what cannot be spoken
 * at its end.
 */
export function clausesOf(text: string): string[] {
  const cutter = createClauseCutter();
  const clauses = cutter.push(text);
  const last = cutter.flush();
  return last === null ? clauses : [...clauses, last];
}
