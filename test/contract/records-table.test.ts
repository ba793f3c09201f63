import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';

interface FaultRecord {
  type: string;
  loc: (string | number)[];
  msg: string;
  ctx?: unknown;
}

/**
 * golden-422.test.ts replays the golden set against the API. This test compares it with the table of the
 * contract.
 */
const { cases }: { cases: { status: number; answer: { detail?: unknown } }[] } = JSON.parse(
  gunzipSync(readFileSync(new URL('golden-422.json.gz', import.meta.url))).toString(),
);
const records = cases
  .filter(({ status }) => status === 422)
  .flatMap(({ answer }): FaultRecord[] => (Array.isArray(answer.detail) ? answer.detail : []));

describe('0.4 validation error records: the golden set has every row of the table', () => {
  test.each<[type: string, msg: RegExp, ctx: string[]]>([
    ['missing', /^Field required$/, []],
    ['string_type', /^Input should be a valid string$/, []],
    ['string_too_short', /^String should have at least \d+ characters?$/, ['min_length']],
    ['string_too_long', /^String should have at most \d+ characters?$/, ['max_length']],
    ['string_pattern_mismatch', /^String should match pattern '.+'$/, ['pattern']],
    ['int_type', /^Input should be a valid integer$/, []],
    ['int_parsing', /^Input should be a valid integer, unable to parse string as an integer$/, []],
    ['int_from_float', /^Input should be a valid integer, got a number with a fractional part$/, []],
    ['float_type', /^Input should be a valid number$/, []],
    ['float_parsing', /^Input should be a valid number, unable to parse string as a number$/, []],
    ['bool_type', /^Input should be a valid boolean$/, []],
    ['bool_parsing', /^Input should be a valid boolean, unable to interpret input$/, []],
    ['greater_than', /^Input should be greater than -?[\d.]+$/, ['gt']],
    ['greater_than_equal', /^Input should be greater than or equal to -?[\d.]+$/, ['ge']],
    ['less_than_equal', /^Input should be less than or equal to -?[\d.]+$/, ['le']],
    ['literal_error', /^Input should be (?:'|2$)/, ['expected']],
    ['enum', /^Input should be '/, ['expected']],
    [
      'too_long',
      /^List should have at most \d+ items? after validation, not (?:\d+|more)$/,
      ['field_type', 'max_length', 'actual_length'],
    ],
    ['list_type', /^Input should be a valid list$/, []],
    ['dict_type', /^Input should be a valid dictionary$/, []],
    ['model_attributes_type', /^Input should be a valid dictionary or object to extract fields from$/, []],
    ['json_invalid', /^JSON decode error$/, ['error']],
    ['value_error', /^(?:Value error, |value is not a valid email address: )/, []],
    [
      'union_tag_invalid',
      /^Input tag '.*' found using '.*' does not match any of the expected tags: '/,
      ['discriminator', 'tag', 'expected_tags'],
    ],
    ['union_tag_not_found', /^Unable to extract tag using discriminator '.*'$/, ['discriminator']],
  ])('%s', (type, msg, ctx) => {
    const found = records.filter((each) => each.type === type);
    expect(found.length).toBeGreaterThan(0);
    const named = ({ ctx: given = {} }: FaultRecord) =>
      typeof given === 'object' && given !== null ? ctx.filter((name) => name in given) : [];
    for (const record of found)
      expect([record.msg, named(record)]).toEqual([expect.stringMatching(msg), ctx]);
  });

  test('a record is type, loc, msg, input and, where the type has one, ctx, in this order', () => {
    for (const record of records)
      expect(['type,loc,msg,input', 'type,loc,msg,input,ctx']).toContain(Object.keys(record).join());
  });

  test('loc begins with the part of the request', () => {
    expect(new Set(records.map(({ loc }) => loc[0]))).toEqual(new Set(['body', 'path', 'query', 'header']));
  });
});
