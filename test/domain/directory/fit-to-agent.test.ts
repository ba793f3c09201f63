import { describe, expect, test } from '@jest/globals';
import { fitToAgent, type AgentFit } from '../../../src/domain/directory/fit-to-agent.ts';
import type { Mapping } from '../../../src/domain/directory/mapping.ts';

const mapping: Mapping = {
  phone: 'Mobile',
  identifier: 'Customer',
  timeZone: null,
  doNotCall: null,
  priority: null,
  openingLine: null,
  skipped: [],
  defaultCountry: null,
  unassigned: 'call',
  duplicates: 'first',
};
const columns = ['Mobile', 'Customer', 'First_Name', 'city'];

interface Texts {
  greeting?: string;
  prompt?: string;
  global?: string;
  speech?: string;
}

function fit(
  { greeting = '', prompt = '', global = '', speech = '' }: Texts,
  changed: { mapping?: Partial<Mapping>; columns?: string[]; fetchesBeforeCall?: boolean } = {},
): AgentFit {
  const definition = {
    nodes: [
      { id: 'g', type: 'globalNode', data: { prompt: global } },
      { id: 's', type: 'startCall', data: { name: 'Start', prompt, greeting_type: 'text', greeting } },
      { id: 'e', type: 'endCall', data: { name: 'End', prompt: '' } },
    ],
    edges: [
      {
        id: 'x',
        source: 's',
        target: 'e',
        data: { label: 'over', condition: 'over', transition_speech: speech },
      },
    ],
  };
  return fitToAgent({
    definition,
    columns: changed.columns ?? columns,
    mapping: { ...mapping, ...changed.mapping },
    fetchesBeforeCall: changed.fetchesBeforeCall ?? false,
  });
}

describe('whether a file fills what an agent says (contract 11.3)', () => {
  test('names in prompts, greeting and transition speeches without a default and a column are missing', () => {
    expect(
      fit({ prompt: '{{a}} {{First_Name}}', greeting: '{{b}}', global: '{{c}}', speech: '{{d}}' }).missing,
    ).toEqual(['c', 'a', 'b', 'd']);
  });

  test.each([
    '{{a | friend}}',
    '{{a|}}',
    '{{a.b}}',
    '{{current_time}}',
    '{{current_weekday_Asia/Kolkata}}',
    '{{caller_number}}',
    '{{called_number}}',
    '{{phone_number}}',
    '{{campaign_id}}',
    '{{provider}}',
    '{{source_uuid}}',
    '{{record_key}}',
    '{{retry_attempt}}',
    '{{first_name}}',
    '{{First_Name}}',
    '{{city}}',
  ])('%s needs no column of its own, or has one', (prompt) => {
    expect(fit({ prompt }).missing).toEqual([]);
  });

  test('a name is missing if only some of its uses have a default', () => {
    expect(fit({ prompt: '{{a | x}} {{a}}' }).missing).toEqual(['a']);
  });

  test('columns of variables without a default must not be empty', () => {
    expect(fit({ prompt: '{{first_name}} {{First_Name}} {{city | here}}' }).required).toEqual(['First_Name']);
  });

  test("the identifier's own name is not available: it is missing, and the warning says what to write", () => {
    const { missing, warnings } = fit({ prompt: '{{Customer}} {{Mobile | x}}' });
    expect([missing, warnings.map(({ code }) => code)]).toEqual([
      ['Customer'],
      ['own_name_of_identifier', 'own_name_of_phone'],
    ]);
    expect(warnings[0]?.message).toContain('{{ext_customer_id}}');
  });

  test('with a request before the call, missing variables are warnings', () => {
    const { missing, warnings } = fit({ prompt: '{{a}}' }, { fetchesBeforeCall: true });
    expect([missing, warnings.map(({ code, name }) => `${code} ${name}`)]).toEqual([[], ['from_fetch a']]);
  });

  test('columns that the service hides and a missing identifier are reported', () => {
    const { warnings } = fit(
      { prompt: '{{ext_customer_id}}' },
      { columns: ['Mobile', 'record_key', 'current_time', 'caller_number'], mapping: { identifier: null } },
    );
    expect(warnings.map(({ code, name }) => `${code} ${name}`)).toEqual([
      'no_identifier ext_customer_id',
      'column_hidden record_key',
      'column_hidden current_time',
      'column_hidden caller_number',
    ]);
  });

  test('an invalid graph needs nothing', () => {
    expect(
      fitToAgent({ definition: { nodes: 'x', edges: 7 }, columns, mapping, fetchesBeforeCall: false }),
    ).toEqual({ missing: [], required: [], warnings: [] });
  });
});
