import { readFileSync } from 'node:fs';
import type { ExampleAnswers } from './example.ts';

/** The file to which `npm run examples` writes the answers of a running API. */
export const exampleAnswersFile = new URL('../../examples/api-answers.json', import.meta.url);

/** Reads the recorded answers to the examples, by operation. */
export function readExampleAnswers(): Readonly<Record<string, ExampleAnswers>> {
  const kept: Readonly<Record<string, ExampleAnswers>> = JSON.parse(readFileSync(exampleAnswersFile, 'utf8'));
  return kept;
}
