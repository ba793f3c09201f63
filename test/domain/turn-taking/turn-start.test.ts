import { describe, expect, test } from '@jest/globals';
import { leftAfter, only, play, turnSettings } from './timeline.ts';

/** The agent speaks from 1000 on, and may be interrupted. */
const speaking = '0 began\n0 listen\n900 reply\n1000 sound';
const over = '8000 complete\n8000 drained';

const cuts = (settings: ReturnType<typeof turnSettings>, script: string) =>
  only(
    play(settings, `${speaking}\n${script}`),
    'interrupt',
    'pause_output',
    'resume_output',
    'end_turn',
    'false_interruption',
  );

describe('turn_start_strategy default (contract 3.2)', () => {
  const settings = turnSettings();

  test('interrupts the agent at once for a voice', () => {
    expect(cuts(settings, '2000 voice\n2900 final Wait.\n3000 quiet\n9000 wait')).toEqual([
      '2000 interrupt',
      '3600 end_turn 2000-2800 Wait.',
    ]);
  });
  test('interrupts for any transcript without a voice, final or not', () => {
    expect(cuts(settings, '2000 hear wait\n2300 final Wait.\n9000 wait')).toEqual([
      '2000 interrupt',
      '2900 end_turn 2000-2300 Wait.',
    ]);
    expect(cuts(settings, '2300 final Uh-huh.\n3000 wait')).toEqual([
      '2300 interrupt',
      '2900 end_turn 2300-2300 Uh-huh.',
    ]);
  });
  test('ignores a transcript without a word', () => {
    expect(cuts(settings, '2000 hear  \n2300 final  \n3000 wait')).toEqual([]);
  });
  test('makes one turn of the words after an interruption, and ignores the old reply’s last events', () => {
    const script = '2000 voice\n2100 drained\n2200 complete\n2900 final Wait.\n3000 quiet\n9000 wait';
    expect(cuts(settings, script)).toEqual(['2000 interrupt', '3600 end_turn 2000-2800 Wait.']);
  });
  test('reports a cough that interrupted the agent after 2 s without words', () => {
    expect(cuts(settings, '2000 voice\n2300 quiet\n9000 wait')).toEqual([
      '2000 interrupt',
      '4300 false_interruption',
    ]);
  });
  test('reports continuous noise after 5 s', () => {
    expect(cuts(settings, '2000 voice\n9000 wait')).toEqual(['2000 interrupt', '7000 false_interruption']);
  });
  test('makes no turn of a cough while the caller has the floor', () => {
    const commands = play(settings, '0 began\n0 listen\n1000 voice\n1200 quiet\n9000 wait');
    expect(only(commands, 'end_turn', 'false_interruption', 'user_started')).toEqual(['1000 user_started']);
  });
});

describe('turn_start_strategy min_words (contract 3.2)', () => {
  const settings = turnSettings({ turn_start_strategy: 'min_words' });

  test('needs three words while the agent speaks; interims count, a voice does not', () => {
    expect(
      cuts(
        settings,
        '2000 voice\n2300 hear hold\n2500 hear hold on\n2700 hear hold on please\n3000 quiet\n3200 final Hold on, please.\n9000 wait',
      ),
    ).toEqual(['2700 interrupt', '3600 end_turn 2000-2800 Hold on, please.']);
  });
  test('adds up the words of several finals', () => {
    expect(cuts(settings, '2000 final One.\n2500 final Two.\n3000 final Three.\n3100 wait')).toEqual([
      '3000 interrupt',
    ]);
  });
  test('takes the number from turn_start_min_words, at least one', () => {
    const needs = (count: unknown) =>
      only(
        play(
          turnSettings({ turn_start_strategy: 'min_words', turn_start_min_words: count }),
          `${speaking}\n2000 hear a\n2100 hear a b\n2200 hear a b c\n2300 hear a b c d`,
        ),
        'interrupt',
      );
    expect([2, 4, 0, -5, '2', 1.5].map(needs)).toEqual([
      ['2100 interrupt'],
      ['2300 interrupt'],
      ['2000 interrupt'],
      ['2000 interrupt'],
      ['2100 interrupt'],
      ['2100 interrupt'],
    ]);
  });
  test('needs one word while the agent is silent', () => {
    expect(
      only(
        play(
          settings,
          '0 began\n0 listen\n1000 voice\n1500 hear yes\n1700 quiet\n1800 final Yes.\n9000 wait',
        ),
        'user_started',
        'end_turn',
      ),
    ).toEqual(['1500 user_started', '2300 end_turn 1000-1500 Yes.']);
  });
  test('answers fewer words after the agent has finished', () => {
    expect(cuts(settings, `2000 final Not Tuesday.\n${over}\n9000 wait`)).toEqual([
      '8000 end_turn 2000-2000 Not Tuesday.',
    ]);
  });
  test('a turn opens at the end of the reply for words that are not final yet', () => {
    const commands = play(
      settings,
      `${speaking}\n7900 hear not\n${over}\n8200 final Not Tuesday.\n9000 wait`,
    );
    expect(only(commands, 'user_started', 'end_turn')).toEqual([
      '8000 user_started',
      '8800 end_turn 8000-8200 Not Tuesday.',
    ]);
  });
  test('counts words of scripts without spaces, too', () => {
    const japanese = turnSettings({ turn_start_strategy: 'min_words' }, { language: 'ja' });
    expect(cuts(japanese, '2000 hear ちょっと\n2200 hear ちょっと待ってください')).toEqual([
      '2200 interrupt',
    ]);
  });
});

describe('turn_start_strategy provisional_vad (contract 3.2)', () => {
  const settings = turnSettings({ turn_start_strategy: 'provisional_vad' });

  test('pauses the agent for a voice; a transcript within 1.5 s makes it an interruption', () => {
    expect(cuts(settings, '2000 voice\n3400 hear wait\n3500 quiet\n3600 final Wait.\n9000 wait')).toEqual([
      '2000 pause_output',
      '3400 interrupt',
      '4100 end_turn 2000-3300 Wait.',
    ]);
  });
  test('resumes without a transcript, even if the voice goes on', () => {
    expect(cuts(settings, '2000 voice\n3499 wait')).toEqual(['2000 pause_output']);
    expect(cuts(settings, '2000 voice\n2100 quiet\n9000 wait')).toEqual([
      '2000 pause_output',
      '3500 resume_output',
    ]);
    expect(cuts(settings, '2000 voice\n9000 wait')).toEqual(['2000 pause_output', '3500 resume_output']);
  });
  test('takes the pause from provisional_vad_pause_secs, at least 0.1', () => {
    const resumes = (seconds: unknown) =>
      only(
        play(
          turnSettings({ turn_start_strategy: 'provisional_vad', provisional_vad_pause_secs: seconds }),
          `${speaking}\n2000 voice\n9000 wait`,
        ),
        'resume_output',
      );
    expect([0.4, 3, 0, -1, 'x'].map(resumes)).toEqual([
      ['2400 resume_output'],
      ['5000 resume_output'],
      ['2100 resume_output'],
      ['2100 resume_output'],
      ['3500 resume_output'],
    ]);
  });
  test('lets nothing interrupt after a pause without words until the agent has finished; later words are answered then', () => {
    expect(
      cuts(
        settings,
        `2000 voice\n2100 quiet\n4000 voice\n4500 final Hello there\n5000 quiet\n${over}\n9000 wait`,
      ),
    ).toEqual(['2000 pause_output', '3500 resume_output', '8000 end_turn 4500-4800 Hello there']);
  });
  test('may pause the next reply again', () => {
    const again = `${over}\n8100 reply\n8200 sound\n8500 voice\n8600 hear wait`;
    expect(cuts(settings, `2000 voice\n2100 quiet\n${again}`)).toEqual([
      '2000 pause_output',
      '3500 resume_output',
      '8500 pause_output',
      '8600 interrupt',
    ]);
  });
  test('interrupts for words without a voice', () => {
    expect(cuts(settings, '2000 final Wait.\n2100 wait')).toEqual(['2000 interrupt']);
  });
  test('is not confirmed by a backchannel: the agent goes on', () => {
    expect(
      cuts(settings, `2000 voice\n2300 hear uh-huh\n2500 quiet\n2600 final Uh-huh.\n${over}\n9000 wait`),
    ).toEqual(['2000 pause_output', '3500 resume_output']);
  });
  test('begins the turn for a voice while the agent is silent', () => {
    expect(only(play(settings, '0 began\n0 listen\n1000 voice'), 'user_started', 'pause_output')).toEqual([
      '1000 user_started',
    ]);
  });
});

describe('backchannels', () => {
  const settings = turnSettings({ turn_start_strategy: 'min_words', turn_start_min_words: 4 });

  test('do not begin a turn while the agent speaks', () => {
    const script =
      '2000 voice\n2300 quiet\n2400 final Mm-hmm, yeah.\n5000 voice\n5300 quiet\n5400 final Okay.';
    const commands = play(settings, `${speaking}\n${script}\n${over}\n12000 wait`);
    expect(only(commands, 'interrupt', 'ignored', 'end_turn')).toEqual([
      '8000 ignored backchannel Mm-hmm, yeah.',
      '8000 ignored backchannel Okay.',
    ]);
  });
  test('interrupt if they reach turn_start_min_words', () => {
    expect(cuts(settings, '2000 final Yeah yeah yeah yeah.\n3000 wait')).toEqual([
      '2000 interrupt',
      '2600 end_turn 2000-2000 Yeah yeah yeah yeah.',
    ]);
  });
  test('answer in the last second of the agent’s speech', () => {
    expect(cuts(settings, `7000 voice\n7200 quiet\n7400 final Yes.\n${over}\n9000 wait`)).toEqual([
      '8000 end_turn 7400-7400 Yes.',
    ]);
  });
  test('are an answer up to a second before the end of the reply', () => {
    const yes = (atMs: number) =>
      only(play(settings, `${speaking}\n${atMs} final Yes.\n${over}\n9000 wait`), 'ignored', 'end_turn');
    expect([yes(6999), yes(7000)]).toEqual([
      ['8000 ignored backchannel Yes.'],
      ['8000 end_turn 7000-7000 Yes.'],
    ]);
  });
  test('do not answer a reply after which nobody listens', () => {
    const commands = play(
      settings,
      `0 began\n0 listen\n900 reply last\n1000 sound\n7500 final Yes.\n${over}\n9000 wait`,
    );
    expect(only(commands, 'ignored', 'end_turn')).toEqual(['8000 ignored backchannel Yes.']);
  });
  test('are kept with the words after them', () => {
    expect(cuts(settings, '2000 final Okay.\n4000 final But not on a Tuesday.\n5000 wait')).toEqual([
      '4000 interrupt',
      '4600 end_turn 4000-4000 Okay. But not on a Tuesday.',
    ]);
  });
  test.each([
    'ru Угу.',
    'es Vale.',
    'de Genau.',
    'fr D’accord.',
    'it Va bene.',
    'pt Entendi.',
    'ja はい',
    'multi Понятно',
  ])('are known in %s', (sample) => {
    const [language = '', ...words] = sample.split(' ');
    const commands = play(
      turnSettings({ turn_start_strategy: 'provisional_vad' }, { language }),
      `${speaking}\n2000 final ${words.join(' ')}\n${over}`,
    );
    expect(only(commands, 'interrupt', 'ignored')).toEqual([`8000 ignored backchannel ${words.join(' ')}`]);
  });
});

describe('a reply that has made no sound', () => {
  test.each(['default', 'min_words', 'provisional_vad'])(
    'waits while the caller speaks, and is interrupted by words (%s)',
    (strategy) => {
      const settings = turnSettings({ turn_start_strategy: strategy });
      const commands = play(
        settings,
        '0 began\n0 listen\n900 reply\n1000 voice\n1400 hear and\n2000 quiet\n2200 final And a cola.\n9000 wait',
      );
      expect(only(commands, 'pause_output', 'resume_output', 'interrupt', 'end_turn')).toEqual([
        '1000 pause_output',
        '1400 interrupt',
        '2600 end_turn 1000-1800 And a cola.',
      ]);
    },
  );
  test('begins late after a cough', () => {
    const commands = play(turnSettings(), '0 began\n0 listen\n900 reply\n1000 voice\n1200 quiet\n9000 wait');
    expect(only(commands, 'pause_output', 'resume_output', 'interrupt', 'false_interruption')).toEqual([
      '1000 pause_output',
      '1750 resume_output',
    ]);
  });
  test('lets the output go on when it ends without a sound', () => {
    const commands = play(
      turnSettings(),
      '0 began\n0 listen\n900 reply\n1000 voice\n1100 complete\n9000 wait',
    );
    expect(only(commands, 'pause_output', 'resume_output', 'user_started')).toEqual([
      '1000 pause_output',
      '1100 resume_output',
      '1100 user_started',
    ]);
  });
  test('begins during continuous noise', () => {
    const commands = play(turnSettings(), '0 began\n0 listen\n900 reply\n1000 voice\n9000 wait');
    expect(only(commands, 'pause_output', 'resume_output')).toEqual([
      '1000 pause_output',
      '6000 resume_output',
    ]);
  });
  test('survives an “okay”, which makes no turn', () => {
    const commands = play(
      turnSettings(),
      `0 began\n0 listen\n100 voice\n500 quiet\n600 final A table.\n1100 wait\n1300 voice\n1500 quiet\n1600 final Okay.\n1700 reply\n2000 wait\n2100 sound\n5000 complete\n5000 drained\n9000 wait`,
    );
    expect(only(commands, 'end_turn', 'interrupt', 'ignored')).toEqual([
      '1100 end_turn 100-300 A table.',
      '5000 ignored backchannel Okay.',
    ]);
  });
  test('ends the turn that a cough opened before it', () => {
    const commands = play(
      turnSettings(),
      '0 began\n0 listen\n100 voice\n500 quiet\n600 final A table.\n1100 wait\n1300 voice\n1400 quiet\n2000 reply\n2100 sound\n2500 voice',
    );
    expect(only(commands, 'user_started')).toEqual([
      '100 user_started',
      '1300 user_started',
      '2500 user_started',
    ]);
  });
  test('waits for a voice that began before it', () => {
    const commands = play(
      turnSettings(),
      '0 began\n0 listen\n100 voice\n500 quiet\n600 final A table.\n1100 wait\n1300 voice\n1400 reply\n1600 hear for two\n2000 quiet\n2100 final for two.\n9000 wait',
    );
    expect(only(commands, 'end_turn', 'interrupt', 'pause_output')).toEqual([
      '1100 end_turn 100-300 A table.',
      '1400 pause_output',
      '1600 interrupt',
      '2600 end_turn 1300-1800 for two.',
    ]);
  });
});

describe('the floor', () => {
  test('opens no turn for a noise that is longer than the reply', () => {
    const commands = play(
      turnSettings({ turn_start_strategy: 'provisional_vad' }),
      `${speaking}\n2000 voice\n${over}\n9000 wait`,
    );
    expect(only(commands, 'user_started')).toEqual([]);
  });
  test('belongs to no one between turns: speech waits for the next reply', () => {
    const script =
      '0 began\n0 listen\n1000 voice\n1900 final One.\n2000 quiet\n2700 voice\n2900 final Two.\n3000 quiet\n9000 wait';
    expect(only(play(turnSettings(), script), 'end_turn')).toEqual(['2600 end_turn 1000-1800 One.']);
    expect(leftAfter(turnSettings(), script)).toBe('Two.');
    expect(only(play(turnSettings(), `${script}\n9100 listen`), 'end_turn')).toEqual([
      '2600 end_turn 1000-1800 One.',
      '9100 end_turn 2700-2800 Two.',
    ]);
  });
  test('belongs to no one after a reply that does not listen: speech waits, too', () => {
    const script =
      '0 began\n0 listen\n100 reply firm last\n200 sound\n2000 complete\n2000 drained\n2100 voice\n2500 final Hello\n2600 quiet\n9000 wait';
    expect(only(play(turnSettings(), script), 'end_turn', 'idle')).toEqual([]);
    expect(only(play(turnSettings(), `${script}\n9100 reply\n9200 wait`), 'interrupt', 'end_turn')).toEqual([
      '9100 interrupt',
      '9100 end_turn 2100-2400 Hello',
    ]);
  });
  test('is the caller’s once a reply is complete and heard, in either order, even after a gap', () => {
    const answer = '5000 voice\n5500 final Yes.\n5600 quiet\n9000 wait';
    const took = (script: string) =>
      only(
        play(turnSettings({ max_user_idle_timeout: 1 }), `0 began\n0 reply first\n100 sound\n${script}`),
        'idle',
        'mute_stopped',
      );
    expect(took('2000 complete\n2500 drained\n3600 wait')).toEqual(['2500 mute_stopped', '3500 idle']);
    expect(took('2000 drained\n2500 complete\n3600 wait')).toEqual(['2500 mute_stopped', '3500 idle']);
    expect(took('1000 drained\n1500 sound\n2000 complete\n2500 drained\n3600 wait')).toEqual([
      '2500 mute_stopped',
      '3500 idle',
    ]);
    expect(took(`2000 complete\n4000 wait`)).toEqual([]);
    expect(only(play(turnSettings(), `0 began\n0 reply first\n100 complete\n${answer}`), 'end_turn')).toEqual(
      ['6200 end_turn 5000-5400 Yes.'],
    );
  });
});
