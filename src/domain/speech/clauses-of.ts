import { createClauseCutter } from './clauses.ts';

/** Cuts a complete text into clauses. Joined, they are the text without an unspeakable rest. */
export function clausesOf(text: string): string[] {
  const cutter = createClauseCutter();
  const clauses = cutter.push(text);
  const last = cutter.flush();
  return last === null ? clauses : [...clauses, last];
}
