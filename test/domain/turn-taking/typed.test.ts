import { describe, expect, test } from '@jest/globals';
import { only, play, turnSettings } from './timeline.ts';

const turns = (script: string, settings = turnSettings()) =>
  only(play(settings, script), 'interrupt', 'end_turn', 'ignored', 'idle');

describe('typed words (docs/turn-taking.md)', () => {
  test('end the turn at once, together with what was said before, under every stop strategy', () => {
    for (const stop of ['transcription', 'turn_analyzer'])
      expect(
        turns(
          '0 began\n0 listen\n1000 voice\n1500 final I want\n1700 typed a pizza\n2500 quiet\n9000 wait',
          turnSettings({ turn_stop_strategy: stop }),
        ),
      ).toEqual(['1700 end_turn 1000-1700 I want a pizza']);
  });

  test('end the turn at once while noise keeps the voice detection on, and twice make two turns', () => {
    expect(
      turns('0 began\n0 listen\n1000 voice\n2000 typed One.\n2100 listen\n2200 typed Two.\n9000 wait'),
    ).toEqual(['2000 end_turn 1000-2000 One.', '2200 end_turn 1000-2200 Two.']);
  });

  test.each(['default', 'min_words', 'provisional_vad'])(
    'interrupt an audible reply under %s, even if they would only show attention',
    (start) => {
      expect(
        turns(
          '0 began\n0 listen\n900 reply\n1000 sound\n2000 typed yes\n9000 wait',
          turnSettings({ turn_start_strategy: start, turn_start_min_words: 3 }),
        ),
      ).toEqual(['2000 interrupt', '2000 end_turn 2000-2000 yes']);
    },
  );

  test('typed while the agent thinks are answered instead of the reply that begins', () => {
    expect(turns('0 began\n0 listen\n900 typed One.\n1000 typed yes\n1500 reply\n9000 wait')).toEqual([
      '900 end_turn 900-900 One.',
      '1500 interrupt',
      '1500 end_turn 1000-1000 yes',
    ]);
  });

  test('wait for the end of a tool, of the greeting, and of a reply that cannot be interrupted', () => {
    expect(turns('0 began\n0 listen\n500 tool\n900 typed One.\n1500 tool over\n9000 wait')).toEqual([
      '1500 end_turn 900-900 One.',
    ]);
    expect(
      turns('0 began\n100 reply first\n200 sound\n900 typed One.\n2000 complete\n2100 drained\n9000 wait'),
    ).toEqual(['2100 end_turn 900-900 One.']);
    expect(
      turns(
        '0 began\n0 listen\n100 reply firm\n200 sound\n900 typed One.\n2000 complete\n2100 drained\n9000 wait',
      ),
    ).toEqual(['2100 end_turn 900-900 One.']);
  });
});
