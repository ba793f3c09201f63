import { describe, expect, test } from '@jest/globals';
import type { ApiKey } from '../../../src/contract/api-keys.ts';
import { type Field, isBadJson, missingFields, placeFaults } from '../../../console/src/parts/form-values.ts';
import { keysForCalls, snippet, triggerOf } from '../../../console/src/screens/developers/snippets.ts';
import { settingsOf, vendorFields, vendorValues } from '../../../console/src/screens/models/vendor-fields.ts';
import { listedPrices, priceText } from '../../../console/src/screens/models/price-list.ts';
import {
  argumentsOf,
  byTemplate,
  callValuesOf,
  definitionOf,
  presetsOf,
  valuesOfTool,
} from '../../../console/src/screens/tools/tool-values.ts';

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

  test('is tried with values for its presets and for what its templates take from the call', () => {
    const config = {
      url: 'https://shop.example/{{customer.id}}/{{initial_context.region | eu}}',
      parameters: [{ name: 'day', type: 'string', description: '', required: true }],
      preset_parameters: [
        { name: 'tier', type: 'number', value_template: '{{gathered_context.tier}}' },
        { name: 'is_test', type: 'boolean', value_template: 'false' },
        { name: 'note', type: 'string', value_template: 'x' },
      ],
      body_template: { at: '{{current_time_UTC}}', lines: ['{{day}}', '{{note}} {{name}}', 3] },
    };
    const callValues = callValuesOf(config);
    expect(callValues).toEqual(['customer', 'region', 'tier', 'name']);
    expect(callValuesOf({})).toEqual([]);
    const given = (values: Record<string, string | number | null>) =>
      presetsOf(config.preset_parameters, callValues, values);
    expect(
      given({ 'preset.tier': 2, 'preset.is_test': 'false', 'call.name': 'Ada', 'call.region': '' }),
    ).toEqual({
      tier: 2,
      is_test: false,
      name: 'Ada',
    });
    expect(given({ 'preset.tier': null, 'preset.is_test': byTemplate, 'preset.note': '' })).toEqual({});
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

describe('the prices of models', () => {
  const price = (prompt: number) => ({ prompt, cached_prompt: prompt / 4, completion: 2 * prompt });

  test('begin with that of the used model, then go by name', () => {
    const models = {
      'openai|||gpt-5': price(1.25),
      'azure|||gpt-5': price(1.3),
      'groq|||llama': price(0.05),
      'google|||gemini': price(0.3),
    };
    const listed = (used: Record<string, unknown> | null) =>
      listedPrices(models, used).map(({ key, isUsed }) => `${key}${isUsed ? ' used' : ''}`);
    const byName = ['google|||gemini', 'azure|||gpt-5', 'openai|||gpt-5', 'groq|||llama'];
    expect(listed({ provider: 'groq', model: 'llama' })).toEqual([
      'groq|||llama used',
      ...byName.filter((key) => key !== 'groq|||llama'),
    ]);
    expect(listed({ provider: 'groq', model: 'gpt-5' })).toEqual(byName);
    expect(listed(null)).toEqual(byName);
  });

  test('are dollars with cents, and with more digits if they are smaller', () => {
    expect([0.4, 12, 0.0125].map(priceText)).toEqual(['$0.40', '$12.00', '$0.0125']);
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
      key: { name: 'Night job', prefix: 'plc_ab12' },
      variables: ['first_name'],
    });
    expect(code.split('\n')[0]).toMatch(/^(#|\/\/) PARLANCE_API_KEY is the key plc_ab12… \(Night job\)\.$/);
    expect(code).toContain('https://parlance.example.com/api/v1/public/agent/reminder%2Fspring');
    expect(code).toContain('"+12025550143"');
    expect(code).toContain('first_name');
  });

  test('the command line calls the number with the values', () => {
    const code = snippet('cli', {
      origin: 'https://parlance.example.com',
      path: '/public/agent/reminder',
      agentId: 7,
      phoneNumber: '+12025550143',
      key: null,
      variables: ['first_name'],
    });
    expect(code.split('\n').slice(0, 2)).toEqual([
      'parlance login --url https://parlance.example.com',
      'parlance call 7 +12025550143 --value first_name=…',
    ]);
  });

  test('a key is one that works and may start calls', () => {
    const key = (id: number, changes: object): ApiKey => ({
      id,
      name: 'Key',
      key_prefix: 'plc',
      is_active: true,
      created_at: '2026-11-21T10:00:00Z',
      last_used_at: null,
      archived_at: null,
      scopes: null,
      expires_at: null,
      created_by: 1,
      rotated_from_id: null,
      ...changes,
    });
    const keys = [
      key(1, { scopes: ['read'] }),
      key(2, { is_active: false }),
      key(3, { scopes: ['calls:trigger'] }),
      key(4, {}),
      key(5, { scopes: ['admin'] }),
    ];
    expect(keysForCalls(keys).map(({ id }) => id)).toEqual([3, 4, 5]);
  });

  test('an agent without a trigger is called by its uuid', () => {
    expect(triggerOf('some-uuid', [])).toBe('/public/agent/workflow/some-uuid');
  });
});
