import { readFileSync } from 'node:fs';
import type { ExampleAnswers } from './example.ts';

/** Where `npm run examples` writes what a running API answered. */
export const exampleAnswersFile = new URL('../../examples/api-answers.json', import.meta.url);

/** The answers to the examples, by operation, as a running API gave them. */
export function readExampleAnswers(): Readonly<Record<string, ExampleAnswers>> {
  const kept: Readonly<Record<string, ExampleAnswers>> = JSON.parse(readFileSync(exampleAnswersFile, 'utf8'));
  return kept;
}
