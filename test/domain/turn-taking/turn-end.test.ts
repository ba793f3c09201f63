import { describe, expect, test } from '@jest/globals';
import { leftAfter, only, play, turnSettings } from './timeline.ts';

/** The caller has the floor at 0. */
const floor = '0 began\n0 listen';

const ends = (settings: ReturnType<typeof turnSettings>, script: string) =>
  only(play(settings, `${floor}\n${script}`), 'end_turn');

describe('turn_stop_strategy transcription (contract 3.2)', () => {
  const settings = turnSettings();

  test('ends a turn 600 ms after the voice detection reports silence', () => {
    expect(ends(settings, '1000 voice\n2000 quiet\n2200 final Tomorrow at nine.\n9000 wait')).toEqual([
      '2600 end_turn 1000-1800 Tomorrow at nine.',
    ]);
  });
  test('waits for a transcript, so a late final ends the turn', () => {
    expect(ends(settings, '1000 voice\n2000 quiet\n3100 final Tomorrow.\n9000 wait')).toEqual([
      '3700 end_turn 1000-1800 Tomorrow.',
    ]);
  });
  test('continues the turn when the voice goes on within the silence', () => {
    expect(
      ends(
        settings,
        '1000 voice\n2000 quiet\n2200 final I would like\n2500 voice\n3000 quiet\n3200 final a table.\n9000 wait',
      ),
    ).toEqual(['3600 end_turn 1000-2800 I would like a table.']);
  });
  test('ignores smart_turn_stop_secs', () => {
    const script = '1000 voice\n2000 quiet\n2100 final I want a pizza and\n9000 wait';
    expect(ends(turnSettings({ smart_turn_stop_secs: 4 }), script)).toEqual([
      '2600 end_turn 1000-1800 I want a pizza and',
    ]);
  });
  test('waits for the final of an interim until the recognizer’s 99th percentile, then takes the interim', () => {
    const slow = turnSettings({}, { recognizer: { p99FinalMs: 1500, hasInterims: true, marksTurns: false } });
    expect(ends(slow, '1000 voice\n1500 hear I want a\n2000 quiet\n9000 wait')).toEqual([
      '3500 end_turn 1000-1800 I want a',
    ]);
    expect(
      ends(slow, '1000 voice\n1500 hear I want a\n2000 quiet\n2900 final I want a pizza.\n9000 wait'),
    ).toEqual(['2900 end_turn 1000-1800 I want a pizza.']);
  });
  test('waits the 99th percentile of a recognizer without interims for unannounced words', () => {
    const blunt = turnSettings(
      {},
      { recognizer: { p99FinalMs: 1000, hasInterims: false, marksTurns: false } },
    );
    expect(
      ends(blunt, '1000 voice\n1400 final One moment,\n2000 quiet\n2900 final please.\n9000 wait'),
    ).toEqual(['2900 end_turn 1000-1800 One moment, please.']);
  });
  test('starts a turn at words too soft for the voice detection, and ends it 600 ms after the last one', () => {
    expect(ends(settings, '1000 hear yes\n1300 hear yes please\n1600 final Yes, please.\n9000 wait')).toEqual(
      ['2200 end_turn 1000-1600 Yes, please.'],
    );
  });
  test('takes the recognizer’s end of the utterance as silence while noise keeps the voice detection on', () => {
    expect(ends(settings, '1000 voice\n2000 final Yes, please.\n2900 ended\n9000 wait')).toEqual([
      '3500 end_turn 1000-2000 Yes, please.',
    ]);
    expect(
      ends(
        settings,
        '1000 voice\n2000 final Yes, please\n2900 ended\n3000 hear come\n3400 final come in\n4000 quiet\n9000 wait',
      ),
    ).toEqual(['4600 end_turn 1000-3800 Yes, please come in']);
  });
  test('takes a voice without new words for 5 s as noise and answers the words before it', () => {
    expect(ends(settings, '1000 voice\n2000 final Yes, please.\n9000 wait')).toEqual([
      '7000 end_turn 1000-2000 Yes, please.',
    ]);
  });
  test.each([
    [
      'at once with the words that are final',
      '1000 voice\n2000 quiet\n2100 final Yes.\n2200 gone',
      ['2200 end_turn 1000-1800 Yes.'],
    ],
    [
      'with the final that follows',
      '1000 voice\n1500 hear please can\n1900 gone\n2100 final Please cancel it.',
      ['2100 end_turn 1000-1700 Please cancel it.'],
    ],
    [
      'with the words that come for the voice',
      '1000 voice\n2000 quiet\n2010 gone\n2200 final Yes.',
      ['2200 end_turn 1000-1800 Yes.'],
    ],
    [
      'with the interim words when no final comes',
      '1000 voice\n1500 hear please can\n1900 gone\n9000 wait',
      ['2250 end_turn 1000-1700 please can'],
    ],
    ['never, without words', '1000 voice\n1900 gone\n9000 wait', []],
    [
      'never, while the agent speaks',
      '1000 reply firm\n1010 sound\n1100 voice\n1500 final Yes.\n1600 gone\n9000 wait',
      [],
    ],
  ])('ends the turn of a caller who hangs up %s', (_how, script, turns) => {
    expect(ends(settings, script)).toEqual(turns);
  });
  test('puts all words into one turn and leaves none', () => {
    const script = `${floor}\n1000 voice\n1500 final#a One\n1800 final#b two\n2000 quiet\n2100 final#c three.\n9000 wait`;
    expect([only(play(settings, script), 'end_turn'), leftAfter(settings, script)]).toEqual([
      ['2600 end_turn 1000-1800 One two three.'],
      '',
    ]);
  });
  test('asks the recognizer for its final when the voice stops', () => {
    expect(only(play(settings, `${floor}\n1000 voice\n2000 quiet`), 'finalize_recognizer')).toEqual([
      '2000 finalize_recognizer',
    ]);
  });
});

describe('turn_stop_strategy turn_analyzer (contract 3.2)', () => {
  const settings = turnSettings({ turn_stop_strategy: 'turn_analyzer' });

  test('ends the turn 200 ms after the voice stops if the sentence is complete', () => {
    expect(
      ends(settings, '1000 voice\n1900 final Tomorrow at nine.\n2000 quiet\n2020 analyzed yes\n9000 wait'),
    ).toEqual(['2200 end_turn 1000-1800 Tomorrow at nine.']);
  });
  test('ends the turn after smart_turn_stop_secs of silence if the sentence is incomplete', () => {
    const script = '1000 voice\n1900 final Tomorrow and\n2000 quiet\n2020 analyzed no\n9000 wait';
    expect(ends(settings, script)).toEqual(['4000 end_turn 1000-1800 Tomorrow and']);
    expect(
      ends(turnSettings({ turn_stop_strategy: 'turn_analyzer', smart_turn_stop_secs: 3.5 }), script),
    ).toEqual(['5500 end_turn 1000-1800 Tomorrow and']);
  });
  test('waits if the analyzer does not answer', () => {
    expect(ends(settings, '1000 voice\n1900 final Tomorrow.\n2000 quiet\n9000 wait')).toEqual([
      '4000 end_turn 1000-1800 Tomorrow.',
    ]);
  });
  test('asks when the voice stops, and again for later words', () => {
    const commands = play(
      settings,
      `${floor}\n1000 voice\n1900 hear Tomorrow\n2000 quiet\n2020 analyzed no\n2300 final Tomorrow, please.\n2310 analyzed yes\n9000 wait`,
    );
    expect(only(commands, 'analyze', 'end_turn')).toEqual([
      '2000 analyze Tomorrow',
      '2300 analyze Tomorrow, please.',
      '2310 end_turn 1000-1800 Tomorrow, please.',
    ]);
  });
  test('ignores an answer when the caller goes on', () => {
    expect(
      ends(
        settings,
        '1000 voice\n1900 final Tomorrow.\n2000 quiet\n2020 analyzed yes\n2100 voice\n2150 analyzed yes\n3000 quiet\n3000 analyzed no\n9000 wait',
      ),
    ).toEqual(['5000 end_turn 1000-2800 Tomorrow.']);
  });
  test('an answer that arrives after its turn does not count for the next turn', () => {
    const words = turnSettings({ turn_stop_strategy: 'turn_analyzer', turn_start_strategy: 'min_words' });
    expect(
      ends(
        words,
        '1000 voice\n1900 final Two pizzas\n2000 quiet\n4100 reply\n4150 sound\n4200 voice\n4500 quiet\n4600 final and cola\n4700 analyzed yes\n5000 complete\n5000 drained\n9000 wait',
      ),
    ).toEqual(['4000 end_turn 1000-1800 Two pizzas', '6500 end_turn 4600-4600 and cola']);
  });
  test('asks no analyzer under transcription and ignores its answers', () => {
    const commands = play(
      turnSettings(),
      `${floor}\n1000 voice\n1900 final Tomorrow.\n2000 quiet\n2020 analyzed yes\n9000 wait`,
    );
    expect(only(commands, 'analyze', 'end_turn')).toEqual(['2600 end_turn 1000-1800 Tomorrow.']);
  });
});

describe('user_turn_stop_timeout (contract 3.1)', () => {
  const script = '1000 voice\n1900 final Tomorrow and\n2000 quiet\n2020 analyzed no\n20000 wait';

  test('ends a turn that the stop strategy keeps open', () => {
    const waits = { turn_stop_strategy: 'turn_analyzer', smart_turn_stop_secs: 30 };
    expect(ends(turnSettings(waits), script)).toEqual(['7000 end_turn 1000-1800 Tomorrow and']);
    expect(ends(turnSettings({ ...waits, user_turn_stop_timeout: 3 }), script)).toEqual([
      '5000 end_turn 1000-1800 Tomorrow and',
    ]);
  });
  test('may be shorter than the silence of the strategy', () => {
    expect(
      ends(
        turnSettings({ user_turn_stop_timeout: 0.3 }),
        '1000 voice\n1900 final Tomorrow and\n2000 quiet\n9000 wait',
      ),
    ).toEqual(['2300 end_turn 1000-1800 Tomorrow and']);
  });
});

describe('a recognizer that marks turns (contract 3.2)', () => {
  const recognizer = { p99FinalMs: 350, hasInterims: true, marksTurns: true };

  test('ends turns; silence alone does not', () => {
    expect(
      ends(
        turnSettings({}, { recognizer }),
        '1000 voice\n1900 final Tomorrow.\n2000 quiet\n5000 ended\n9000 wait',
      ),
    ).toEqual(['5000 end_turn 1000-1800 Tomorrow.']);
  });
  test('is overruled after 30 s without a mark', () => {
    expect(
      ends(turnSettings({}, { recognizer }), '1000 voice\n1900 final Tomorrow.\n2000 quiet\n60000 wait'),
    ).toEqual(['32000 end_turn 1000-1800 Tomorrow.']);
  });
  test('the end of a cough does not end the next turn', () => {
    expect(
      ends(
        turnSettings({}, { recognizer }),
        '1000 voice\n1500 ended\n1600 quiet\n5000 final Tomorrow.\n6000 wait\n7000 ended\n9000 wait',
      ),
    ).toEqual(['7000 end_turn 5000-5000 Tomorrow.']);
  });
  test('disables turn_start_strategy', () => {
    const settings = turnSettings({ turn_start_strategy: 'min_words' }, { recognizer });
    expect(only(play(settings, `${floor}\n1000 reply\n1100 sound\n2000 voice`), 'interrupt')).toEqual([
      '2000 interrupt',
    ]);
  });
});

describe('finals after the end of their turn', () => {
  const settings = turnSettings();
  /** The turn ends at 2600. */
  const turn = '1000 voice\n1900 final#a Two pizzas\n2000 quiet\n2600 wait';

  test('retract an unheard answer and are answered themselves', () => {
    const commands = play(settings, `${floor}\n${turn}\n2700 reply\n2800 final#b and a cola.\n9000 wait`);
    expect(only(commands, 'end_turn', 'interrupt')).toEqual([
      '2600 end_turn 1000-1800 Two pizzas',
      '2800 interrupt',
      '3400 end_turn 2800-2800 and a cola.',
    ]);
  });
  test('retract the reply asked ahead, and the answer as soon as it begins', () => {
    const commands = play(settings, `${floor}\n${turn}\n2650 final#b and a cola.\n2700 reply\n9000 wait`);
    expect(only(commands, 'end_turn', 'interrupt', 'drop_speculation')).toEqual([
      '2600 end_turn 1000-1800 Two pizzas',
      '2650 drop_speculation',
      '2700 interrupt',
      '3250 end_turn 2650-2650 and a cola.',
    ]);
  });
  test('join the next turn if the answer is already audible', () => {
    const commands = play(
      settings,
      `${floor}\n${turn}\n2700 reply\n2800 sound\n2900 final#b and a cola.\n4000 drained\n4000 complete\n6000 voice\n6900 final#c Large ones.\n7000 quiet\n9000 wait`,
    );
    expect(only(commands, 'end_turn', 'interrupt')).toEqual([
      '2600 end_turn 1000-1800 Two pizzas',
      '7600 end_turn 6000-6800 and a cola. Large ones.',
    ]);
  });
  test('go with the next turn also when another reply comes before it', () => {
    const commands = play(
      settings,
      `${floor}\n${turn}\n2700 reply\n2800 sound\n2900 final#b and a cola.\n4000 drained\n4000 complete\n4100 reply\n4200 sound\n5500 drained\n5500 complete\n6000 voice\n6900 final#c Large ones.\n7000 quiet\n9000 wait`,
    );
    expect(only(commands, 'end_turn', 'ignored')).toEqual([
      '2600 end_turn 1000-1800 Two pizzas',
      '7600 end_turn 6000-6800 and a cola. Large ones.',
    ]);
  });
  test('wait for the end of a reply that must not be interrupted', () => {
    const commands = play(
      settings,
      `${floor}\n${turn}\n2700 reply firm\n2750 final#b and a cola.\n2800 sound\n4000 drained\n4000 complete\n9000 wait`,
    );
    expect(only(commands, 'end_turn', 'interrupt')).toEqual([
      '2600 end_turn 1000-1800 Two pizzas',
      '4000 end_turn 2750-2750 and a cola.',
    ]);
  });
  test('are not answered again after their interim was', () => {
    const guess = '1000 voice\n1900 hear two pizzas\n2000 quiet\n2600 wait';
    const commands = (late: string) =>
      only(play(settings, `${floor}\n${guess}\n2700 reply\n${late}\n9000 wait`), 'end_turn', 'interrupt');
    expect(commands('2800 final Two pizzas.')).toEqual(['2600 end_turn 1000-1800 two pizzas']);
    expect(commands('2750 hear two pizzas and\n2800 final Two pizzas and a cola.')).toEqual([
      '2600 end_turn 1000-1800 two pizzas',
      '2750 interrupt',
      '3400 end_turn 2750-2800 and a cola.',
    ]);
    expect(commands('2800 final Hold on, somebody is at the door.')).toEqual([
      '2600 end_turn 1000-1800 two pizzas',
      '2800 interrupt',
      '3400 end_turn 2800-2800 Hold on, somebody is at the door.',
    ]);
  });
  test('are not answered again after two turns took their interims', () => {
    const commands = play(
      settings,
      `${floor}\n1000 voice\n1900 hear two pizzas\n2000 quiet\n2700 listen\n2750 hear two pizzas and a cola\n4000 listen\n4100 final Two pizzas and a cola, please.\n9000 wait`,
    );
    expect(only(commands, 'end_turn')).toEqual([
      '2600 end_turn 1000-1800 two pizzas',
      '3350 end_turn 2750-2750 and a cola',
      '4700 end_turn 4100-4100 please.',
    ]);
  });
  test('are ignored if a recognizer repeats them after a reconnect', () => {
    expect(ends(settings, `${turn}\n2800 listen\n3000 final#a Two pizzas\n9000 wait`)).toEqual([
      '2600 end_turn 1000-1800 Two pizzas',
    ]);
  });
});
