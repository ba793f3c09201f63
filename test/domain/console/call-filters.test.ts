import { describe, expect, test } from '@jest/globals';
import {
  apiFilters,
  formatFilters,
  parseFilters,
  withFilter,
  withoutFilter,
} from '../../../console/src/screens/calls/filters.ts';
import { callsSearch } from '../../../console/src/screens/calls/search.ts';

const agents = [
  { id: 3, name: 'Delivery follow-up' },
  { id: 7, name: 'Reminder' },
];
const now = new Date(2026, 10, 23, 15, 30);
const sent = (text: string): unknown =>
  JSON.parse(apiFilters(parseFilters(text).filters, { agents, now }).text ?? '[]');
const local = (...parts: [number, number, number]) => new Date(...parts).toISOString();

describe('the filter language of the list of calls', () => {
  test.each([
    ['agent:reminder', { attribute: 'workflowId', type: 'number', value: { value: 7 } }],
    ['agent:"Delivery follow-up"', { attribute: 'workflowId', type: 'number', value: { value: 3 } }],
    ['agent:7', { attribute: 'workflowId', type: 'number', value: { value: 7 } }],
    [
      'outcome:busy outcome:no-answer',
      { attribute: 'dispositionCode', type: 'multiSelect', value: { codes: ['busy', 'no-answer'] } },
    ],
    ['tag:retry tag:vip', { attribute: 'callTags', type: 'multiSelect', value: { codes: ['retry', 'vip'] } }],
    ['dur:>60', { attribute: 'duration', type: 'numberRange', value: { min: 60 } }],
    ['dur:<=300', { attribute: 'duration', type: 'numberRange', value: { max: 300 } }],
    ['dur:60..300', { attribute: 'duration', type: 'numberRange', value: { min: 60, max: 300 } }],
    ['status:live', { attribute: 'status', type: 'radio', value: { status: 'in_progress' } }],
    ['channel:text', { attribute: 'callChannel', type: 'radio', value: { status: 'chat' } }],
    ['channel:phone', { attribute: 'callChannel', type: 'radio', value: { status: 'telephony' } }],
    ['number:"+1 202-555"', { attribute: 'calledNumber', type: 'text', value: { value: '1202555' } }],
    ['campaign:7', { attribute: 'campaignId', type: 'number', value: { value: 7 } }],
    ['version:9', { attribute: 'versionId', type: 'number', value: { value: 9 } }],
    ['call:12', { attribute: 'runId', type: 'number', value: { value: 12 } }],
    ['date:today', { attribute: 'dateRange', type: 'dateRange', value: { from: local(2026, 10, 23) } }],
    ['date:7d', { attribute: 'dateRange', type: 'dateRange', value: { from: local(2026, 10, 17) } }],
  ])('%s becomes a filter of the API', (text, filter) => {
    expect(sent(text)).toEqual([filter]);
  });

  test('days are those of the reader, and the last moment of a range is within it', () => {
    const end = new Date(new Date(2026, 10, 21).getTime() - 1).toISOString();
    const range = {
      attribute: 'dateRange',
      type: 'dateRange',
      value: { from: local(2026, 10, 20), to: end },
    };
    expect(sent('date:2026-11-20')).toEqual([range]);
    expect(sent('after:2026-11-20 before:2026-11-21')).toEqual([range]);
  });

  test('the number of an incoming call is the one that called', () => {
    expect(sent('direction:in number:202555')).toEqual([
      { attribute: 'callDirection', type: 'radio', value: { status: 'inbound' } },
      { attribute: 'callerNumber', type: 'text', value: { value: '202555' } },
    ]);
  });

  test.each([
    ['later', 'words'],
    ['length:60', 'field'],
    ['dur:long', 'value'],
    ['channel:fax', 'value'],
    ['before:yesterday', 'value'],
    ['after:2026-11-20T24:00Z', 'value'],
    ['after:2026-11-20T14:00', 'value'],
    ['date:2026-11-20T14:00', 'value'],
    ['date:2026-13-01', 'value'],
    ['agent:', 'value'],
  ])('%s is refused with what may stand there', (text, reason) => {
    const { filters, faults } = parseFilters(`status:ended ${text}`);
    expect(filters).toEqual([{ field: 'status', value: 'ended' }]);
    expect(faults).toEqual([{ text, reason, expected: expect.stringMatching(/\w+/) }]);
  });

  test('an agent that does not exist is named, and matches nothing', () => {
    const { text, faults } = apiFilters(parseFilters('agent:Nobody').filters, { agents, now });
    expect(JSON.parse(text ?? '')).toMatchObject([{ value: { value: 0 } }]);
    expect(faults).toEqual([
      { text: 'agent:Nobody', reason: 'agent', expected: 'Delivery follow-up, Reminder' },
    ]);
  });

  test('filters are written so that they read back the same, and a pasted number is a filter', () => {
    const { filters } = parseFilters('agent:"Delivery follow-up" outcome:busy dur:>60 +12025550142');
    expect(formatFilters(filters)).toBe(
      'agent:"Delivery follow-up" outcome:busy dur:>60 number:+12025550142',
    );
    expect(parseFilters(formatFilters(filters)).filters).toEqual(filters);
  });

  test('a field that stands once is replaced, others gather, and a day replaces a range', () => {
    const begin = parseFilters('outcome:busy dur:>60 after:2026-11-01').filters;
    const more = [
      { field: 'dur', value: '<10' },
      { field: 'outcome', value: 'failed' },
      { field: 'outcome', value: 'busy' },
      { field: 'date', value: '7d' },
    ] as const;
    const after = more.reduce(withFilter, [...begin]);
    expect(formatFilters(after)).toBe('dur:<10 outcome:failed outcome:busy date:7d');
    expect(formatFilters(withoutFilter(after, { field: 'outcome', value: 'failed' }))).toBe(
      'dur:<10 outcome:busy date:7d',
    );
  });

  test('the URL keeps what it understands', () => {
    expect(callsSearch({ q: 42, page: '3', sort: 'duration', order: 'asc' })).toEqual({
      q: '42',
      page: 3,
      sort: 'duration',
      order: 'asc',
    });
    expect(callsSearch({ q: ['x'], page: -1, sort: 'name', order: 'up' })).toEqual({});
  });
});
