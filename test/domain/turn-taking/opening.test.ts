import { describe, expect, test } from '@jest/globals';
import { only, play, turnSettings } from './timeline.ts';

const settings = turnSettings({ voicemail_detection: { enabled: true } });
const greeting = '0 began\n100 reply first';
const commands = (script: string, of = settings) =>
  only(play(of, script), 'pause_output', 'resume_output', 'classify_opening', 'end_turn', 'interrupt');

describe('voicemail_detection (contract 3.2)', () => {
  test('holds output until the far end’s first turn was judged, then resumes for a person', () => {
    expect(
      commands(`${greeting}\n500 voice\n900 quiet\n1100 final Hello?\n1600 opening person\n9000 wait`),
    ).toEqual(['0 pause_output', '1500 classify_opening Hello?', '1600 resume_output']);
  });
  test('never speaks to a machine: output stays paused', () => {
    expect(
      commands(
        `${greeting}\n500 voice\n4000 quiet\n4100 final Please leave a message.\n4700 opening machine\n60000 wait`,
      ),
    ).toEqual(['0 pause_output', '4600 classify_opening Please leave a message.']);
  });
  test('judges speech longer than long_speech_timeout by the words so far', () => {
    expect(
      commands(`${greeting}\n500 voice\n3000 final You have reached\n7000 hear the office of\n8500 wait`),
    ).toEqual(['0 pause_output', '8500 classify_opening You have reached the office of']);
    const soon = turnSettings({ voicemail_detection: { enabled: true, long_speech_timeout: 2 } });
    expect(commands(`${greeting}\n500 voice\n2000 hear You have reached\n2500 wait`, soon)).toEqual([
      '0 pause_output',
      '2500 classify_opening You have reached',
    ]);
    expect(commands(`${greeting}\n500 voice\n2900 hear You have\n3000 wait`, soon)).toEqual([
      '0 pause_output',
      '2900 classify_opening You have',
    ]);
  });
  test('speaks to a far end that is silent for 2.5 s; its first turn is judged later without a hold', () => {
    expect(
      commands(
        `${greeting}\n2600 sound\n4000 voice\n7000 quiet\n7100 final Leave a message.\n9000 opening machine`,
      ),
    ).toEqual(['0 pause_output', '2500 resume_output', '7600 classify_opening Leave a message.']);
  });
  test('does not hold output forever after a cough or noise', () => {
    expect(commands(`${greeting}\n500 voice\n1000 quiet\n60000 wait`)).toEqual([
      '0 pause_output',
      '3000 resume_output',
    ]);
    expect(commands(`${greeting}\n500 voice\n60000 wait`)).toEqual(['0 pause_output', '5500 resume_output']);
  });
  test('assumes a person after 4 s without an answer', () => {
    expect(commands(`${greeting}\n500 voice\n900 quiet\n1100 final Hello?\n60000 wait`)).toEqual([
      '0 pause_output',
      '1500 classify_opening Hello?',
      '5500 resume_output',
    ]);
  });
  test('judges once per call', () => {
    const script = `${greeting}\n500 voice\n900 quiet\n1100 final Hello?\n1600 opening person\n1700 sound\n3000 complete\n3000 drained\n4000 voice\n4900 final Yes.\n5000 quiet\n9000 wait`;
    expect(commands(script)).toEqual([
      '0 pause_output',
      '1500 classify_opening Hello?',
      '1600 resume_output',
      '5600 end_turn 4000-4800 Yes.',
    ]);
  });
  test('ignores an answer without a question', () => {
    expect(commands(`${greeting}\n300 opening person\n400 wait`)).toEqual(['0 pause_output']);
  });
  test('judges and answers the first words of a far end that gets the floor first', () => {
    expect(
      commands('0 began\n0 listen\n500 voice\n900 quiet\n1100 final Hello?\n1550 reply\n1600 opening person'),
    ).toEqual([
      '0 pause_output',
      '1500 classify_opening Hello?',
      '1500 end_turn 500-700 Hello?',
      '1600 resume_output',
    ]);
  });
  test('holds the next reply, too, after a held reply was interrupted', () => {
    expect(
      commands(
        '0 began\n0 listen\n500 voice\n900 quiet\n1100 final Hello?\n1550 reply\n1700 final Who is this?\n1800 opening person',
      ),
    ).toEqual([
      '0 pause_output',
      '1500 classify_opening Hello?',
      '1500 end_turn 500-700 Hello?',
      '1700 interrupt',
      '1700 pause_output',
      '1800 resume_output',
    ]);
  });
});
