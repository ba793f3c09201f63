import { describe, expect, test } from '@jest/globals';
import {
  chooseDestination,
  readDestination,
  transferTimeoutSeconds,
} from '../../../src/domain/telephony/transfer-destination.ts';
import { transferResult } from '../../../src/domain/telephony/transfer-result.ts';

const rendering = { variables: { desk: '+1 555 000 0001' }, now: new Date('2026-11-22T04:00:00.000Z') };
const choose = (
  config: Record<string, unknown>,
  {
    values = {},
    gathered = {},
  }: { values?: Record<string, unknown>; gathered?: Record<string, unknown> } = {},
) => chooseDestination({ config, values, rendering, gathered });

describe('the destination of a transfer', () => {
  test('is the rendered template if it is static', () => {
    expect(choose({ destination_source: 'static', destination: '{{desk}}' })).toEqual({
      text: '+1 555 000 0001',
      by: 'context',
    });
    expect(choose({ destination: '' })).toEqual({ text: '', by: 'maker' });
  });

  test.each([
    [{ destination: '+4930123456' }, {}, 'maker'],
    [{ destination: '{{initial_context.desk}}' }, {}, 'context'],
    [{ destination: '{{desk}}' }, {}, 'context'],
    [{ destination: '{{desk}}' }, { desk: '+19005550000' }, 'conversation'],
    [{ destination: '{{gathered_context.desk}}' }, {}, 'conversation'],
    [
      { destination: '+49{{extracted_variables.desk}}' },
      { extracted_variables: { desk: '1' } },
      'conversation',
    ],
    [{ destination: '{{initial_context.desk}}' }, { 'initial_context.desk': '1' }, 'conversation'],
    [{ destination_source: 'dynamic', destination: '+4930123456' }, {}, 'maker'],
    [
      { destination_source: 'context_mapping', context_mapping: { fallback_destination: '{{desk}}' } },
      { desk: '1' },
      'conversation',
    ],
  ])('of %j with %j learned in the conversation is chosen by the %s', (config, gathered, by) => {
    expect(choose(config, { gathered })).toMatchObject({ by });
  });

  test("of a dynamic transfer is the conversation's choice if the model gives it", () => {
    const config = { destination_source: 'dynamic', destination: '+4930123456' };
    expect(choose(config, { values: { destination: '+19005550000' } })).toEqual({
      text: '+19005550000',
      by: 'conversation',
    });
  });

  test("is the model's argument, else the template, if it is dynamic without a resolver", () => {
    expect(
      choose(
        { destination_source: 'dynamic', destination: '{{desk}}' },
        { values: { destination: '+15559990000' } },
      ).text,
    ).toBe('+15559990000');
    expect(choose({ destination_source: 'dynamic', destination: '{{desk}}' }).text).toBe('+1 555 000 0001');
  });

  const mapping = {
    destination_source: 'context_mapping',
    context_mapping: {
      rules: [
        {
          context_path: 'gathered_context.department',
          routes: [
            { context_value: 'Sales', destination: '+15550000001' },
            { context_value: 'Support', destination: '+15550000002' },
          ],
        },
        { context_path: 'language', routes: [{ context_value: 'de', destination: '+15550000003' }] },
      ],
      fallback_destination: '{{desk}}',
    },
  };

  test.each([
    [{ department: ' sales ' }, '+15550000001'],
    [{ extracted_variables: { department: 'Support' } }, '+15550000002'],
    [{ department: 'Other', language: 'de' }, '+15550000003'],
    [{ department: 'Other' }, '+1 555 000 0001'],
    [{}, '+1 555 000 0001'],
  ])(
    'is that of the first matching rule, else the fallback, for context_mapping of %j',
    (gathered, destination) => {
      expect(choose(mapping, { gathered }).text).toBe(destination);
    },
  );

  test.each([
    ['+1 (555) 000-0001', '+15550000001'],
    ['15550000001', '+15550000001'],
    [' sip:desk@pbx.test ', 'sip:desk@pbx.test'],
    ['', null],
    ['the front desk', null],
    ['sip:two words@pbx.test', null],
  ])('%j is read as %j', (text, destination) => {
    expect(readDestination(text)).toBe(destination);
  });

  test('rings for 30 seconds, or for the time of the tool between 5 and 120', () => {
    expect([{}, { timeout: 1 }, { timeout: 45 }, { timeout: 999 }].map(transferTimeoutSeconds)).toEqual([
      30, 5, 45, 120,
    ]);
  });

  test('the result for the model has the form of contract 12.7', () => {
    expect(JSON.parse(transferResult({ kind: 'failed', reason: 'no_answer' }))).toEqual({
      status: 'transfer_failed',
      reason: 'no_answer',
      message: expect.any(String),
    });
    expect(JSON.parse(transferResult({ kind: 'connected' }))).toMatchObject({ status: 'transfer_success' });
  });
});
