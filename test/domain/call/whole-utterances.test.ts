import { describe, expect, test } from '@jest/globals';
import type { Line } from '../../../src/domain/call/line.ts';
import type { Exchange } from '../../../src/domain/call/tool-round.ts';
import { wholeUtterances } from '../../../src/domain/call/whole-utterances.ts';

const line = (speaker: Line['speaker'], text: string, kind: Line['kind']): Exchange => ({
  kind: 'line',
  line: { speaker, text, at: '2026-01-01T00:00:00.000Z', nodeId: 'start', kind },
});
const said = (text: string): Exchange => line('user', text, 'utterance');
const answered = (text: string): Exchange => line('assistant', text, 'reply');
const pressed = (digits: string): Exchange => line('user', digits, 'keypad');
const tools: Exchange = { kind: 'tools', calls: [] };

describe('for the model', () => {
  test('words that came after their turn was handed on belong to the sentence that they end', () => {
    expect(wholeUtterances([answered('Tea or cake?'), said('A '), said('person'), said('please.')])).toEqual([
      answered('Tea or cake?'),
      said('A person please.'),
    ]);
  });

  test.each([
    ['an answer', answered('Yes?')],
    ['digits', pressed('1')],
    ['tools', tools],
  ])('what was said before and after %s stays apart', (_what, between) => {
    const exchanges = [said('A person'), between, said('please.')];
    expect(wholeUtterances(exchanges)).toEqual(exchanges);
  });
});
