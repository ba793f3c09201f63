import { describe, expect, test } from '@jest/globals';
import { readExampleAnswers } from '../../src/contract/example-answers.ts';
import { examples } from '../../src/contract/examples.ts';
import { databases } from '../support/database.ts';
import { shapeOf } from '../support/shape.ts';
import { runExamples, type ExampleResult } from '../support/run-examples.ts';

/**
 * Sends the examples of the description, one after the other, to an API with a real database and a real
 * Temporal.
 */
describe.each(databases)('the examples of the description on %s', (kind) => {
  // guarantee: examples-come-from-running-api
  test('each gets the status and the keys of the recorded answer', async () => {
    const results: ExampleResult[] = [];
    await runExamples(kind, (each) => void results.push(each));
    expect(results.filter(({ status, expected }) => status !== expected)).toEqual([]);
    const kept = readExampleAnswers();
    for (const { name, kind: what, expected, answer } of results) {
      const shown = what === 'refused' ? kept[name]?.refusals?.[expected] : kept[name]?.answer;
      if (what === 'other' || shown === undefined || examples[name]?.isLong === true) continue;
      expect({ name, expected, hint: 'npm run examples', keys: shapeOf(answer) }).toEqual({
        name,
        expected,
        hint: 'npm run examples',
        keys: shapeOf(shown),
      });
    }
  });
});
