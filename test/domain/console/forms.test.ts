import { describe, expect, test } from '@jest/globals';
import { type Field, isBadJson, missingFields, placeFaults } from '../../../console/src/parts/form-values.ts';
import { snippet, triggerOf } from '../../../console/src/screens/developers/snippets.ts';
import { settingsOf, vendorFields, vendorValues } from '../../../console/src/screens/models/vendor-fields.ts';
import { argumentsOf, definitionOf, valuesOfTool } from '../../../console/src/screens/tools/tool-values.ts';

describe('a form made from a description', () => {
  const fields: Field[] = [
    { name: 'name', label: 'Name', kind: 'text', isRequired: true },
    { name: 'parameters', label: 'Arguments', kind: 'rows' },
    { name: 'url', label: 'URL', kind: 'url', isRequired: true, when: ({ type }) => type === 'http_api' },
  ];

  test('shows each fault at its field, says the row, and keeps the others', () => {
    const faults = [
      { loc: ['body', 'name'], msg: 'Field required' },
      { loc: ['body', 'definition', 'http_api', 'config', 'parameters', 1, 'name'], msg: 'Field required' },
      { loc: ['body', 'icon'], msg: 'Value error, no such icon' },
    ];
    expect(placeFaults(fields, faults)).toEqual({
      byField: { name: 'Field required', parameters: '2: Field required' },
      others: ['icon: No such icon'],
    });
  });

  test('asks only for required fields that are shown', () => {
    expect(missingFields(fields, { name: ' ', type: 'calculator' })).toEqual(['name']);
    expect(missingFields(fields, { name: 'Slots', type: 'http_api' })).toEqual(['url']);
  });

  test.each([
    ['', false],
    ['{"a": 1}', false],
    ['{a: 1}', true],
  ])('reads %p as JSON that is bad: %p', (words, isBad) => expect(isBadJson(words)).toBe(isBad));
});

describe('the form of a tool', () => {
  const stored = {
    type: 'http_api',
    config: {
      method: 'POST',
      url: 'https://api.example.com',
      headers: { authorization: '********1234' },
      customMessageType: 'text',
      parameters: [{ name: 'day', type: 'string', description: 'The day', required: true }],
    },
  };

  test('sends back masked headers and what it does not show as they were stored', () => {
    const values = valuesOfTool({ name: 'Slots', description: null }, stored);
    expect(definitionOf({ ...values, url: ' https://api.example.com/slots ' }, stored)).toMatchObject({
      type: 'http_api',
      config: {
        url: 'https://api.example.com/slots',
        headers: { authorization: '********1234' },
        customMessageType: 'text',
        parameters: stored.config.parameters,
      },
    });
  });

  test('bounds transfers by the entered destinations, and by none when there are none', () => {
    const values = { ...valuesOfTool(null, null), type: 'transfer_call', destination: '+493012345' };
    expect(definitionOf({ ...values, allowed_destinations: ['+4930* ', ''] }, null)).toMatchObject({
      config: { destination: '+493012345', allowed_destinations: ['+4930*'] },
    });
    expect(definitionOf(values, null)).toMatchObject({ config: { allowed_destinations: null } });
  });

  test('gives a trial each argument of its type, and leaves out what is empty', () => {
    const parameter = (name: string, type: string) => ({ name, type, description: '', required: false });
    const parameters = [parameter('day', 'string'), parameter('n', 'number'), parameter('tags', 'array')];
    expect(argumentsOf(parameters, { 'arg.day': '', 'arg.n': 2, 'arg.tags': '["a"]' })).toEqual({
      n: 2,
      tags: ['a'],
    });
  });
});

describe('the form of a model', () => {
  const vendors = {
    openai: {
      title: 'OpenAI',
      properties: {
        provider: { const: 'openai' },
        model: { type: 'string' },
        api_key: { type: 'string', format: 'password' },
        temperature: { type: 'number', minimum: 0, maximum: 2 },
      },
      required: ['provider', 'model'],
    },
    groq: { title: 'Groq', properties: { model: { type: 'string', default: 'llama' } } },
  };
  const stored = { provider: 'openai', model: 'gpt', api_key: '****1234', extra: 1 };

  test('has the fields of the vendor', () => {
    const fields = vendorFields(vendors, 'openai', { labelOf: (name) => name, providerLabel: 'Vendor' });
    expect(fields.map(({ name, kind }) => [name, kind])).toEqual([
      ['provider', 'select'],
      ['model', 'text'],
      ['api_key', 'password'],
      ['temperature', 'number'],
    ]);
  });

  test('keeps the key of the same vendor and never sends it to another one', () => {
    const same = vendorValues(vendors, 'openai', stored);
    expect(settingsOf(vendors, { ...same, model: 'gpt-5' }, stored)).toEqual({ ...stored, model: 'gpt-5' });
    const other = vendorValues(vendors, 'groq', stored);
    expect(settingsOf(vendors, other, stored)).toEqual({ provider: 'groq', model: 'llama' });
    expect(settingsOf(vendors, { provider: 'none' }, stored)).toBeNull();
  });
});

describe('programs that start a call', () => {
  test.each(['curl', 'typescript', 'python'] as const)('%s names path, number and values', (language) => {
    const path = triggerOf('some-uuid', ['reminder/spring']);
    const code = snippet(language, {
      origin: 'https://parlance.example.com',
      path,
      agentId: 1,
      phoneNumber: '+12025550143',
      variables: ['first_name'],
    });
    expect(code).toContain('https://parlance.example.com/api/v1/public/agent/reminder%2Fspring');
    expect(code).toContain('"+12025550143"');
    expect(code).toContain('first_name');
  });

  test('an agent without a trigger is called by its uuid', () => {
    expect(triggerOf('some-uuid', [])).toBe('/public/agent/workflow/some-uuid');
  });
});
