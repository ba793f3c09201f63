import { describe, expect, test } from '@jest/globals';
import { only, play, turnSettings } from './timeline.ts';

const settings = turnSettings();
const heard = (script: string) =>
  only(
    play(settings, script),
    'mute_started',
    'mute_stopped',
    'interrupt',
    'pause_output',
    'end_turn',
    'ignored',
  );

describe('the caller is muted (contract 3.2)', () => {
  test('until the agent’s first utterance has finished', () => {
    const opening =
      '0 began\n500 voice\n900 quiet\n950 final Hello?\n1000 reply first\n1100 sound\n2000 voice\n2500 quiet\n2600 final Who is this?\n4000 complete\n5000 drained';
    expect(heard(`${opening}\n6000 voice\n6500 quiet\n6600 final Yes.\n9000 wait`)).toEqual([
      '0 mute_started',
      '950 ignored muted Hello?',
      '2600 ignored muted Who is this?',
      '5000 mute_stopped',
      '7100 end_turn 6000-6300 Yes.',
    ]);
  });
  test('but not if they get the floor before any reply, nor on a host that takes a call over', () => {
    expect(heard('0 began\n100 listen')).toEqual(['0 mute_started', '100 mute_stopped']);
    expect(heard('0 began\n100 reply\n200 sound\n300 voice')).toEqual([
      '0 mute_started',
      '100 mute_stopped',
      '300 interrupt',
    ]);
  });
  test('while a first reply without sound leads to another one', () => {
    expect(
      heard(
        '0 began\n100 reply first last\n200 complete\n300 voice\n400 reply first\n500 sound\n600 complete\n700 drained',
      ),
    ).toEqual(['0 mute_started', '700 mute_stopped']);
  });
  test('while one or several tools run', () => {
    const script =
      '0 began\n0 listen\n1000 tool\n1100 tool\n1200 voice\n1500 quiet\n1600 final Hello?\n2000 tool over\n2100 voice\n2500 quiet\n2600 final Anybody?\n3500 tool over';
    expect(heard(`${script}\n4000 voice\n4500 quiet\n4600 final Hello.\n9000 wait`)).toEqual([
      '0 mute_started',
      '0 mute_stopped',
      '1000 mute_started',
      '1600 ignored muted Hello?',
      '2600 ignored muted Anybody?',
      '3500 mute_stopped',
      '5100 end_turn 4000-4300 Hello.',
    ]);
  });
  test('while the agent speaks in a node with allow_interrupt false, under every strategy', () => {
    for (const strategy of ['default', 'min_words', 'provisional_vad']) {
      const commands = play(
        turnSettings({ turn_start_strategy: strategy }),
        '0 began\n0 listen\n900 reply firm\n1000 sound\n2000 voice\n2500 hear wait wait wait wait\n2600 final Wait wait wait wait.\n3000 quiet\n4000 key 1\n8000 complete\n8000 drained\n9000 wait',
      );
      expect(
        only(
          commands,
          'mute_started',
          'mute_stopped',
          'interrupt',
          'pause_output',
          'end_turn',
          'ignored',
        ).slice(2),
      ).toEqual(['1000 mute_started', '2600 ignored muted Wait wait wait wait.', '8000 mute_stopped']);
    }
  });
});

describe('speech at the end of a mute', () => {
  const firm = '0 began\n0 listen\n900 reply firm\n1000 sound';

  test('counts if the voice goes on', () => {
    expect(
      heard(
        `${firm}\n4500 voice\n5000 complete\n5000 drained\n6000 quiet\n6200 final Yes, I am here.\n9000 wait`,
      ).slice(3),
    ).toEqual(['5000 mute_stopped', '6600 end_turn 4500-5800 Yes, I am here.']);
  });
  test('is ignored if the voice ended before, even if its transcript comes later', () => {
    expect(
      heard(`${firm}\n4500 voice\n4900 quiet\n5000 complete\n5000 drained\n5200 final Hm?\n9000 wait`).slice(
        3,
      ),
    ).toEqual(['5000 mute_stopped', '5200 ignored muted Hm?']);
  });
  test('counts without a voice, soon after the mute', () => {
    expect(
      heard(`${firm}\n4000 voice\n4100 quiet\n5000 complete\n5000 drained\n5400 final Yes.\n9000 wait`).slice(
        3,
      ),
    ).toEqual(['5000 mute_stopped', '6000 end_turn 5400-5400 Yes.']);
  });
});

describe('speech before a mute', () => {
  test('is kept when its transcript comes during a tool: it precedes what the agent says next', () => {
    const script =
      '0 began\n0 listen\n1000 voice\n1900 final Look it up.\n2000 quiet\n2600 wait\n2700 voice\n3000 quiet\n3050 tool\n3300 final Under Miller.\n4000 tool over\n4100 reply\n9000 wait';
    expect(heard(script).slice(2)).toEqual([
      '2600 end_turn 1000-1800 Look it up.',
      '3050 mute_started',
      '4000 mute_stopped',
      '4100 interrupt',
      '4100 end_turn 3300-3300 Under Miller.',
    ]);
  });
  test('does not interrupt a reply while a tool runs', () => {
    const script =
      '0 began\n0 listen\n1000 voice\n1900 final Look it up.\n2000 quiet\n2600 wait\n2700 voice\n2800 reply\n3000 quiet\n3050 tool\n3300 final Under Miller.\n4000 tool over\n4100 sound\n5000 complete\n5000 drained';
    expect(heard(script).slice(2)).toEqual([
      '2600 end_turn 1000-1800 Look it up.',
      '2800 pause_output',
      '3050 mute_started',
      '4000 mute_stopped',
      '5000 end_turn 3300-3300 Under Miller.',
    ]);
  });
  test('counts when its transcript arrives after the mute', () => {
    const script =
      '0 began\n0 listen\n1000 voice\n1500 quiet\n1600 tool\n1700 tool over\n1800 final Yes.\n9000 wait';
    expect(heard(script).slice(2)).toEqual([
      '1600 mute_started',
      '1700 mute_stopped',
      '2100 end_turn 1800-1800 Yes.',
    ]);
  });
  test('opens a turn when the tool is over, not while it runs', () => {
    const script =
      '0 began\n0 listen\n1000 voice\n1900 final Look it up.\n2000 quiet\n2100 tool\n4000 tool over\n9000 wait';
    expect(only(play(settings, script), 'user_started', 'end_turn')).toEqual([
      '1000 user_started',
      '4000 user_started',
      '4000 end_turn 1900-1900 Look it up.',
    ]);
  });
  test('opens a turn when the reply is over, not when a tool ends during the reply', () => {
    const script =
      '0 began\n0 listen\n1000 voice\n1900 final Look it up.\n2000 quiet\n2600 wait\n2700 voice\n2800 reply\n3000 quiet\n3050 tool\n3300 final Under Miller.\n3400 sound\n4000 tool over\n5000 complete\n5000 drained';
    expect(only(play(settings, script), 'user_started').at(-1)).toBe('5000 user_started');
  });
  test('ends its pause when the mute begins', () => {
    const commands = play(
      turnSettings({ turn_start_strategy: 'provisional_vad' }),
      '0 began\n0 listen\n900 reply\n1000 sound\n2000 voice\n2500 tool\n9000 wait',
    );
    expect(only(commands, 'pause_output', 'resume_output')).toEqual([
      '2000 pause_output',
      '2500 resume_output',
    ]);
  });
  test('keeps the answer to a turn that has ended', () => {
    expect(
      only(
        play(settings, '0 began\n0 listen\n1000 voice\n1900 final Yes.\n2000 quiet\n2700 voice\n2800 tool'),
        'speculate',
        'drop_speculation',
      ),
    ).toEqual(['1900 speculate Yes.']);
  });
  test('drops the reply that was asked ahead for it', () => {
    expect(
      only(
        play(settings, '0 began\n0 listen\n1000 voice\n1900 final Yes.\n2000 quiet\n2100 tool'),
        'speculate',
        'drop_speculation',
      ),
    ).toEqual(['1900 speculate Yes.', '2100 drop_speculation']);
  });
});
