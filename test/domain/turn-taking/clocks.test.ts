import { describe, expect, test } from '@jest/globals';
import { leftAfter, only, play, turnSettings } from './timeline.ts';

const idle = turnSettings({ max_user_idle_timeout: 10 });
const floor = '0 began\n0 listen';
const when = (settings: ReturnType<typeof turnSettings>, script: string) =>
  only(play(settings, script), 'idle', 'end_turn', 'keypad', 'time_up', 'interrupt');

describe('max_user_idle_timeout (contract 3.2)', () => {
  test('starts when the agent has been heard to the end', () => {
    expect(when(idle, '0 began\n0 reply first\n100 sound\n2000 complete\n5000 drained\n60000 wait')).toEqual([
      '15000 idle',
    ]);
  });
  test('fires again each time the caller gets the floor back, and only then', () => {
    expect(
      when(
        idle,
        `${floor}\n10000 wait\n40000 wait\n41000 reply\n41100 sound\n43000 complete\n43000 drained\n90000 wait`,
      ),
    ).toEqual(['10000 idle', '53000 idle']);
  });
  test('restarts with speech', () => {
    expect(
      when(idle, `${floor}\n9000 voice\n9900 final Hello.\n10500 quiet\n11200 listen\n60000 wait`),
    ).toEqual(['11100 end_turn 9000-10300 Hello.', '21200 idle']);
  });
  test('never fires while the caller speaks or before the transcript of their words', () => {
    expect(
      when(
        idle,
        `${floor}\n9000 voice\n9800 hear one\n12000 hear one moment\n14000 quiet\n14200 final One moment.\n60000 wait`,
      ),
    ).toEqual(['14600 end_turn 9000-13800 One moment.']);
    const words = turnSettings({ max_user_idle_timeout: 10, turn_start_strategy: 'min_words' });
    expect(
      when(words, `${floor}\n9900 voice\n10100 quiet\n10400 final Yes.\n10500 wait\n60000 wait`),
    ).toEqual(['10700 end_turn 10400-10400 Yes.']);
  });
  test('ignores coughs and noise', () => {
    expect(when(idle, `${floor}\n4000 voice\n4200 quiet\n60000 wait`)).toEqual(['10000 idle']);
    expect(when(idle, `${floor}\n9900 voice\n10100 quiet\n60000 wait`)).toEqual(['12100 idle']);
    expect(when(idle, `${floor}\n4000 voice\n60000 wait`)).toEqual(['10000 idle']);
  });
  test('counts from a false interruption of the agent', () => {
    expect(when(idle, `${floor}\n5000 reply\n5100 sound\n12000 voice\n12300 quiet\n60000 wait`)).toEqual([
      '12000 interrupt',
      '22000 idle',
    ]);
  });
  test('stops while the agent speaks, a tool runs, or digits come', () => {
    expect(when(idle, `${floor}\n5000 tool\n30000 tool over\n60000 wait`)).toEqual(['40000 idle']);
    expect(when(idle, `${floor}\n9500 key 1\n10400 key 2\n60000 wait`)).toEqual(['11900 keypad 12']);
    expect(when(idle, `${floor}\n5000 reply\n30000 wait`)).toEqual([]);
  });
  test.each([0, -5])('is off at %s', (seconds) => {
    expect(when(turnSettings({ max_user_idle_timeout: seconds }), `${floor}\n900000 wait`)).toEqual([]);
  });
  test('accepts fractions of a second', () => {
    expect(when(turnSettings({ max_user_idle_timeout: 2.5 }), `${floor}\n9000 wait`)).toEqual(['2500 idle']);
  });
});

describe('max_call_duration (contract 3.2)', () => {
  test('starts when media flow; the closing line begins once, 10 s before the limit', () => {
    expect(
      when(turnSettings({ max_call_duration: 60 }), '500 wait\n1000 began\n1000 listen\n900000 wait'),
    ).toEqual(['51000 time_up']);
  });
  test('fires whatever is happening', () => {
    const settings = turnSettings({ max_call_duration: 60 });
    expect(
      when(settings, '0 began\n0 reply first firm\n100 sound\n49000 tool\n49900 voice\n60000 wait'),
    ).toEqual(['50000 time_up']);
  });
  test('begins the closing line halfway through a very short call', () => {
    expect(when(turnSettings({ max_call_duration: 8 }), `${floor}\n9000 wait`)).toEqual(['4000 time_up']);
  });
  test('subtracts the time that earlier hosts used', () => {
    expect(when(turnSettings({ max_call_duration: 60 }, { usedMs: 30_000 }), `${floor}\n90000 wait`)).toEqual(
      ['20000 time_up'],
    );
    expect(when(turnSettings({ max_call_duration: 60 }, { usedMs: 58_000 }), `${floor}\n90000 wait`)).toEqual(
      ['0 time_up'],
    );
  });
});

describe('the keypad', () => {
  const settings = turnSettings();

  test('joins digits within 1.5 s into one entry', () => {
    expect(when(settings, `${floor}\n1000 key 1\n2400 key 2\n3800 key 3\n9000 key 4\n9000 wait`)).toEqual([
      '5300 keypad 123',
    ]);
  });
  test('ends an entry at #; a lone # is an entry', () => {
    expect(when(settings, `${floor}\n1000 key 4\n1200 key 2\n1300 key #\n9000 listen\n9100 key #`)).toEqual([
      '1300 keypad 42',
      '9100 keypad #',
    ]);
  });
  test('accepts a star as a digit and ignores unknown keys', () => {
    expect(when(settings, `${floor}\n1000 key *\n1100 key x\n1200 key 99\n9000 wait`)).toEqual([
      '2500 keypad *',
    ]);
  });
  test('limits an entry to 32 digits', () => {
    const keys = Array.from({ length: 40 }, (_each, index) => `${1000 + index} key 7`).join('\n');
    expect(when(settings, `${floor}\n${keys}`)).toEqual([`1031 keypad ${'7'.repeat(32)}`]);
  });
  test('interrupts the agent under every strategy where that is allowed', () => {
    const words = turnSettings({ turn_start_strategy: 'min_words' });
    expect(when(words, '0 began\n0 listen\n100 reply\n200 sound\n1000 key 5\n9000 wait')).toEqual([
      '1000 interrupt',
      '2500 keypad 5',
    ]);
    expect(
      when(
        words,
        '0 began\n0 listen\n100 reply firm\n200 sound\n1000 key 5\n4000 complete\n4000 drained\n9000 wait',
      ),
    ).toEqual(['4000 keypad 5']);
  });
  test('replaces an answer that has not begun', () => {
    expect(
      when(settings, `${floor}\n1000 voice\n1900 final Yes.\n2000 quiet\n2700 key 1\n2800 reply\n9000 wait`),
    ).toEqual(['2600 end_turn 1000-1800 Yes.', '2800 interrupt', '4200 keypad 1']);
  });
  test('keeps words that were said with an entry', () => {
    const script = `${floor}\n1000 voice\n1200 key 1\n1900 final My code is one.\n2500 wait\n2700 wait`;
    expect([when(settings, script), leftAfter(settings, script)]).toEqual([
      ['2700 keypad 1'],
      'My code is one.',
    ]);
  });
});

describe('time', () => {
  test('applies a deadline that passed before an event before that event', () => {
    const late = play(turnSettings(), `${floor}\n1000 voice\n1900 final Yes.\n2000 quiet`);
    expect(late).toEqual(
      play(turnSettings(), `${floor}\n1000 voice\n1900 final Yes.\n2000 quiet\n2599 wait`),
    );
    expect(when(turnSettings(), `${floor}\n1000 voice\n1900 final Yes.\n2000 quiet\n2601 voice`)).toEqual([
      '2600 end_turn 1000-1800 Yes.',
    ]);
  });
  test('does not go back with the clock', () => {
    expect(when(idle, '0 began\n9000 wait\n1000 listen\n60000 wait')).toEqual(['19000 idle']);
  });
});
