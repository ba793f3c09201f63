import { describe, expect, test } from '@jest/globals';
import { only, play, turnSettings } from './timeline.ts';

const settings = turnSettings();
const asked = (script: string) =>
  only(play(settings, `0 began\n0 listen\n${script}`), 'speculate', 'drop_speculation', 'end_turn');

describe('asking the model ahead', () => {
  test('begins at the first final, and the reply stands if the turn ends with the same words', () => {
    expect(asked('1000 voice\n1900 final A table for two.\n2000 quiet\n9000 wait')).toEqual([
      '1900 speculate A table for two.',
      '2600 end_turn 1000-1800 A table for two.',
    ]);
  });
  test('begins at a stable interim or when the voice stops', () => {
    expect(asked('1000 voice\n1500 hear a table\n1700 hear a table\n1800 wait')).toEqual([
      '1700 speculate a table',
    ]);
    expect(asked('1000 voice\n1500 hear a table\n1700 hear a table for two\n2000 quiet')).toEqual([
      '2000 speculate a table for two',
    ]);
  });
  test('ignores changes of case and punctuation', () => {
    expect(
      asked('1000 voice\n1500 hear a table for two\n2000 quiet\n2200 final A table, for two!\n9000 wait'),
    ).toEqual(['2000 speculate a table for two', '2600 end_turn 1000-1800 A table, for two!']);
  });
  test('drops the reply for other words and asks again', () => {
    expect(
      asked('1000 voice\n1500 hear a table for two\n2000 quiet\n2200 final A table for ten.\n9000 wait'),
    ).toEqual([
      '2000 speculate a table for two',
      '2200 drop_speculation',
      '2200 speculate A table for ten.',
      '2600 end_turn 1000-1800 A table for ten.',
    ]);
  });
  test('happens at most three times per turn, and again in the next turn', () => {
    const finals = ['one apple', 'one pear', 'one plum', 'one fig']
      .map((text, index) => `${1500 + 100 * index} final ${text}`)
      .join('\n');
    const commands = asked(
      `1000 voice\n${finals}\n2000 quiet\n2700 listen\n3000 voice\n3900 final Thanks.\n4000 quiet\n9000 wait`,
    );
    expect(commands.filter((each) => each.includes(' speculate '))).toEqual([
      '1500 speculate one apple',
      '1600 speculate one apple one pear',
      '1700 speculate one apple one pear one plum',
      '3900 speculate Thanks.',
    ]);
  });
  test('does not happen while the words certainly go on', () => {
    expect(asked('1000 voice\n1900 final A table and\n2000 quiet\n2100 wait')).toEqual([]);
  });
  test('keeps the reply for a voice without words', () => {
    expect(asked('1000 voice\n1900 final Yes.\n2000 quiet\n2100 voice\n2300 quiet\n9000 wait')).toEqual([
      '1900 speculate Yes.',
      '2900 end_turn 1000-2100 Yes.',
    ]);
  });
  test('drops an unclaimed reply when the caller presses a key', () => {
    expect(asked('1000 voice\n1200 key 1\n2650 final Yes.\n2750 wait')).toEqual([
      '2650 speculate Yes.',
      '2700 drop_speculation',
    ]);
  });
  test('drops a reply that was not claimed before the next floor', () => {
    expect(asked('1000 voice\n1900 final Yes.\n2000 quiet\n2700 listen')).toEqual([
      '1900 speculate Yes.',
      '2600 end_turn 1000-1800 Yes.',
      '2700 drop_speculation',
    ]);
  });
});
