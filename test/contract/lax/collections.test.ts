import { describe, expect, test } from '@jest/globals';
import { list, record } from '../../../src/contract/lax/collections.ts';
import { check } from '../../../src/contract/lax/records.ts';
import { integer } from '../../../src/contract/lax/number.ts';
import { alternatives, text } from '../../../src/contract/lax/text.ts';
import { z } from 'zod';

describe('rules of the contract that no request uses yet', () => {
  const Slots = record({ slots: list(integer(), { min: 1, max: 2 }) });

  test('a list that is too short gets the fault of the contract', () => {
    expect(check(Slots, 'body', { slots: [] })).toEqual({
      ok: false,
      records: [
        {
          type: 'too_short',
          loc: ['body', 'slots'],
          msg: 'List should have at least 1 item after validation, not 0',
          input: [],
          ctx: { field_type: 'List', min_length: 1, actual_length: 0 },
        },
      ],
    });
  });

  test('a list that is too short is shown as sent, without defaults and conversions', () => {
    const Two = record({ slots: list(record({ day: integer(), open: integer().default(1) }), { min: 2 }) });
    const checked = check(Two, 'body', { slots: [{ day: '3' }] });
    expect(checked.ok ? [] : checked.records.map(({ type, input }) => [type, input])).toEqual([
      ['too_short', [{ day: '3' }]],
    ]);
  });

  test('a list with invalid items gets only their faults', () => {
    const Two = record({ slots: list(integer(), { min: 2 }) });
    expect(check(Two, 'body', { slots: ['x'] })).toMatchObject({
      records: [{ type: 'int_parsing', loc: ['body', 'slots', 0] }],
    });
  });

  test('an absent required header is missing under its declared name, with null as input', () => {
    expect(check(record({ 'X-API-Key': text() }), 'header', {})).toEqual({
      ok: false,
      records: [{ type: 'missing', loc: ['header', 'X-API-Key'], msg: 'Field required', input: null }],
    });
  });

  test('an integer of more than 4300 digits is refused for its size; one of fewer digits is only too large', () => {
    expect(check(integer(), 'path', '9'.repeat(4301))).toMatchObject({
      records: [{ type: 'int_parsing_size' }],
    });
    expect(check(integer(), 'path', '9'.repeat(400))).toEqual({ ok: true, value: Number.MAX_VALUE });
    expect(check(integer({ le: 5 }), 'query', '9'.repeat(400))).toMatchObject({
      records: [{ type: 'less_than_equal' }],
    });
  });

  test('alternatives are joined with commas and one or', () => {
    expect([alternatives(['a']), alternatives(['a', 'b']), alternatives(['a', 'b', 'c'])]).toEqual([
      "'a'",
      "'a' or 'b'",
      "'a', 'b' or 'c'",
    ]);
  });

  test("throws if a schema raises one of zod's own issues", () => {
    expect(() => check(z.object({ a: z.string() }), 'body', { a: 1 })).toThrow("raised zod's own issue");
  });
});
