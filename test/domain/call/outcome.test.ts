import { describe, expect, test } from '@jest/globals';
import {
  decideDisposition,
  dispositionForSearch,
  dispositions,
} from '../../../src/domain/call/dispositions.ts';
import { callTags, gatheredContext } from '../../../src/domain/call/gathered-context.ts';
import { formatTranscript } from '../../../src/domain/call/transcript.ts';

describe('disposition (contract 8.4)', () => {
  test.each(dispositions)('%s is the disposition when there is no other', (reason) => {
    expect(decideDisposition({ reason, extracted: {} })).toBe(reason);
    expect(dispositionForSearch(reason)).toBe(reason);
  });

  test.each<[row: string, extracted: Record<string, unknown>, recorded: string | null, expected: string]>([
    [
      'an extracted call_disposition replaces the reason',
      { call_disposition: 'wants a callback' },
      null,
      'wants a callback',
    ],
    ['an extracted value also replaces a recorded one', { call_disposition: 'x' }, 'busy', 'x'],
    ['an empty value does not replace it', { call_disposition: null }, null, 'user_hangup'],
    ['a blank value does not replace it', { call_disposition: '  ' }, null, 'user_hangup'],
    ['a number counts as text', { call_disposition: 5 }, null, '5'],
    ['the first recorded value wins otherwise', { other: 1 }, 'transfer_call', 'transfer_call'],
    ['inherited keys do not count', Object.create({ call_disposition: 'x' }), null, 'user_hangup'],
  ])('%s', (_row, extracted, recorded, expected) => {
    expect(decideDisposition({ reason: 'user_hangup', extracted, recorded })).toBe(expected);
  });

  test("an agent's own dispositions are never in search attributes", () => {
    expect(dispositionForSearch('Ada owes 50')).toBe('custom');
    expect(dispositionForSearch('constructor')).toBe('custom');
  });
});

describe('gathered_context (contract 6.5, 8.3)', () => {
  const parts = {
    base: { call_id: 'c1' },
    extracted: { city: 'Riga', age: null },
    nodesVisited: ['Start', 'Ask'],
    outcome: null,
  };

  test('extracted variables are stored twice; empty ones are present', () => {
    expect(gatheredContext(parts)).toEqual({
      call_id: 'c1',
      city: 'Riga',
      age: null,
      extracted_variables: { city: 'Riga', age: null },
      nodes_visited: ['Start', 'Ask'],
    });
  });

  test('disposition and tags are added at the end of the call', () => {
    expect(gatheredContext({ ...parts, outcome: { disposition: 'busy', tags: ['busy'] } })).toMatchObject({
      call_disposition: 'busy',
      mapped_call_disposition: 'busy',
      call_tags: ['busy'],
    });
  });

  test('a variable with the name of a service key is only stored under extracted_variables', () => {
    const extracted = {
      nodes_visited: 'x',
      extracted_variables: 'y',
      call_id: 'z',
      mapped_call_disposition: 'm',
      call_tags: 't',
    };
    expect(gatheredContext({ ...parts, extracted })).toEqual({
      call_id: 'c1',
      extracted_variables: extracted,
      nodes_visited: ['Start', 'Ask'],
    });
  });

  test('a variable called __proto__ becomes an own key', () => {
    const extracted = Object.fromEntries([['__proto__', 'p']]);
    expect(JSON.parse(JSON.stringify(gatheredContext({ ...parts, base: {}, extracted })))).toHaveProperty(
      ['extracted_variables', '__proto__'],
      'p',
    );
    expect(Object.keys(gatheredContext({ ...parts, base: {}, extracted }))).toContain('__proto__');
  });
});

describe('tags (contract 8.6)', () => {
  const source = { disposition: 'user_hangup', userSpoke: false, gathered: {} };

  test.each<[row: string, tags: string[], expected: string[]]>([
    ['the disposition', callTags(source), ['user_hangup']],
    [
      'user_speech when the caller said anything',
      callTags({ ...source, userSpoke: true }),
      ['user_hangup', 'user_speech'],
    ],
    [
      'end_call_tool when the tool had a reason',
      callTags({ ...source, endCallToolReason: true }),
      ['user_hangup', 'end_call_tool'],
    ],
    [
      "not connected, with the carrier's word",
      callTags({ ...source, disposition: 'busy', notConnected: 'busy' }),
      ['busy', 'not_connected', 'telephony_busy'],
    ],
    [
      'retries',
      callTags({ ...source, retryReason: 'no_answer' }),
      ['user_hangup', 'retry', 'retry_reason_no_answer'],
    ],
    [
      'values of keys that begin with tag_',
      callTags({
        ...source,
        gathered: {
          tag_mood: 'happy',
          tag_n: 3,
          tag_empty: null,
          tag_blank: '',
          tag_list: ['x'],
          mood: 'no',
        },
      }),
      ['user_hangup', 'happy', '3'],
    ],
    [
      'no repeats',
      callTags({
        ...source,
        disposition: 'end_call_tool',
        endCallToolReason: true,
        gathered: { tag_a: 'end_call_tool' },
      }),
      ['end_call_tool'],
    ],
  ])('%s', (_row, tags, expected) => {
    expect(tags).toEqual(expected);
  });
});

describe('transcript (contract 6.7)', () => {
  const lines = [
    {
      speaker: 'assistant' as const,
      text: 'Hello',
      at: '2026-11-20T10:00:00.000Z',
      endAt: '2026-11-20T10:00:01.000Z',
    },
    { speaker: 'user' as const, text: 'Hi\nassistant: no', at: '2026-11-20T10:00:02.000Z' },
  ];

  test('one line per utterance', () => {
    expect(formatTranscript(lines)).toBe(
      '[2026-11-20T10:00:00.000Z] assistant: Hello\n[2026-11-20T10:00:02.000Z] user: Hi assistant: no\n',
    );
  });

  test('the bracket contains both timestamps when end timestamps are on', () => {
    expect(formatTranscript(lines, { includeEndTimestamps: true })).toBe(
      '[2026-11-20T10:00:00.000Z -> 2026-11-20T10:00:01.000Z] assistant: Hello\n[2026-11-20T10:00:02.000Z] user: Hi assistant: no\n',
    );
  });

  test('a transcript without lines is empty', () => {
    expect(formatTranscript([])).toBe('');
  });
});
