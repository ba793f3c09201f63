import { describe, expect, test } from '@jest/globals';
import { readExampleAnswers } from '../../src/contract/example-answers.ts';
import { examples } from '../../src/contract/examples.ts';
import { databases } from '../support/database.ts';
import { shapeOf } from '../support/shape.ts';
import { tellStory, type Told } from '../support/story.ts';

/**
 * The examples of the description are sent, one after the other, to an API on a real database and a real
 * Temporal.
 */
describe.each(databases)('the examples of the description on %s', (kind) => {
  test('each is answered with the status that the description shows, and with the keys of the answer beside it', async () => {
    const told: Told[] = [];
    await tellStory(kind, (each) => void told.push(each));
    expect(told.filter(({ status, expected }) => status !== expected)).toEqual([]);
    const kept = readExampleAnswers();
    for (const { name, kind: what, expected, answer } of told) {
      const shown = what === 'refused' ? kept[name]?.refusals?.[expected] : kept[name]?.answer;
      if (what === 'other' || shown === undefined || examples[name]?.isLong === true) continue;
      expect({ name, expected, hint: 'npm run examples', keys: shapeOf(answer) }).toEqual({
        name,
        expected,
        hint: 'npm run examples',
        keys: shapeOf(shown),
      });
    }
  }, 120_000);
});
