import { describe, expect, test } from '@jest/globals';
import {
  createHeuristicAnalyzer,
  energySlope,
  judgeTurn,
} from '../../../src/domain/turn-taking/heuristic-analyzer.ts';
import { sentenceEnd } from '../../../src/domain/turn-taking/sentence-end.ts';

describe('the end of a sentence', () => {
  test.each<[text: string, language: string, end: ReturnType<typeof sentenceEnd>]>([
    ['Tomorrow at nine.', 'en', 'finished'],
    ['Are you open on Sunday?', 'en', 'finished'],
    ['"Yes!"', 'en', 'finished'],
    ['tomorrow at nine', 'en', 'open'],
    ['I would like a table', 'en', 'open'],
    ['I want a pizza and', 'en', 'unfinished'],
    ['I want a pizza and.', 'en', 'unfinished'],
    ['So, um...', 'en', 'unfinished'],
    ['On Tuesday,', 'en', 'unfinished'],
    ['My number is five five five', 'en', 'unfinished'],
    ['My number is 555 12.', 'en', 'unfinished'],
    ['My number is 555 123 4567', 'en', 'open'],
    ['My number is 555 123 4567.', 'en', 'finished'],
    ['In 2024.', 'en', 'finished'],
    ['It is 12', 'en', 'unfinished'],
    ['At 10:30.', 'en', 'finished'],
    ['M I L L', 'en', 'unfinished'],
    ['Я хочу пиццу и', 'ru', 'unfinished'],
    ['Я хочу пиццу.', 'ru', 'finished'],
    ['Quiero una pizza pero', 'es', 'unfinished'],
    ['Ich hätte gern die', 'de-DE', 'unfinished'],
    ['Je voudrais une pizza parce que', 'fr', 'unfinished'],
    ['Vorrei una pizza perché', 'it', 'unfinished'],
    ['Eu quero uma pizza mas', 'pt-BR', 'unfinished'],
    ['Ik wil een pizza omdat', 'nl', 'unfinished'],
    ['Chcę pizzę ale', 'pl', 'unfinished'],
    ['Quiero una pizza pero', 'multi', 'unfinished'],
    ['Quiero una pizza pero', 'en', 'open'],
    ['はい、そうです。', 'ja', 'finished'],
    ['हाँ।', 'hi', 'finished'],
    ['', 'en', 'open'],
  ])('%s (%s): %s', (text, language, end) => {
    expect(sentenceEnd(text, language)).toBe(end);
  });
});

const rate = 8000;
/** A second of a tone whose level moves from one value to another. */
function tone(from: number, to: number): Int16Array {
  return Int16Array.from(
    { length: rate },
    (_each, index) => (from + ((to - from) * index) / rate) * Math.sin((2 * Math.PI * 200 * index) / rate),
  );
}
const nothing: Int16Array = new Int16Array(0);

describe('the heuristic turn analyzer', () => {
  const judge = (text: string, samples: Int16Array = nothing) =>
    judgeTurn({ text, language: 'en', samples, sampleRate: rate }).isComplete;

  test('trusts conclusive words regardless of the voice', () => {
    expect([judge('Tomorrow.', tone(8000, 8000)), judge('Tomorrow and', tone(8000, 500))]).toEqual([
      true,
      false,
    ]);
  });
  test('judges by the voice if the words are inconclusive', () => {
    expect([judge('a table', tone(8000, 500)), judge('a table', tone(8000, 8000))]).toEqual([true, false]);
  });
  test('trusts a recognizer without punctuation when there is no sound', () => {
    expect([judge('a table'), judge('Yes, a table'), judge('')]).toEqual([true, false, false]);
  });
  test('measures the fall of the voice without the silence after it', () => {
    const falling = tone(8000, 500);
    const withSilence = Int16Array.from([...falling, ...new Int16Array(rate / 4)]);
    expect(energySlope(falling, rate)).toBeLessThan(-15);
    expect(energySlope(withSilence, rate)).toBeCloseTo(energySlope(falling, rate) ?? 0, 5);
    expect([energySlope(nothing, rate), energySlope(new Int16Array(rate), rate)]).toEqual([null, null]);
  });
  test('implements TurnAnalyzer', async () => {
    const analyzer = createHeuristicAnalyzer();
    const verdict = await analyzer.analyze(
      { text: 'Tomorrow.', language: 'en', samples: nothing, sampleRate: rate },
      new AbortController().signal,
    );
    expect([verdict.isComplete, analyzer.wantsMs]).toEqual([true, 1000]);
  });
});
