import { describe, expect, test } from '@jest/globals';
import { readArguments } from '../../../src/domain/agent-tools/arguments.ts';
import { toolParameters } from '../../../src/domain/agent-tools/offer.ts';

const http = (parameters: object[], preset_parameters: object[] = []) => ({
  type: 'http_api',
  config: { url: 'https://shop.example', parameters, preset_parameters },
});
const parameter = (name: string, type = 'string') => ({ name, type, description: name });
const given = (json: string): Record<string, unknown> => JSON.parse(json);

describe("the model's arguments", () => {
  test('are only those that the tool declares, and name the others', () => {
    const definition = http([parameter('item'), parameter('filter', 'object'), parameter('list', 'array')]);
    const read = readArguments(
      definition,
      given(
        '{"item":"tea","price":0,"__proto__":{"admin":true},"constructor":1,"filter":{"a":1,"__proto__":{"x":1},"deep":[{"__proto__":1,"b":2}]},"list":[{"__proto__":{}}]}',
      ),
    );
    expect(JSON.stringify(read)).toBe(
      JSON.stringify({
        kind: 'read',
        values: { item: 'tea', filter: { a: 1, deep: [{ b: 2 }] }, list: [{}] },
        ignored: ['price', '__proto__', 'constructor'],
      }),
    );
  });

  // guarantee: preset-never-filled-by-model
  test('never fill a preset parameter, which the model does not see', () => {
    const definition = http([parameter('item'), parameter('caller')], [parameter(' caller ')]);
    expect(toolParameters(definition)).toMatchObject({ required: ['item'] });
    expect(JSON.stringify(toolParameters(definition))).not.toContain('caller');
    expect(readArguments(definition, { item: 'tea', caller: 'Eve' })).toEqual({
      kind: 'read',
      values: { item: 'tea' },
      ignored: ['caller'],
    });
  });

  test.each([
    ['string', ['"7"', '""'], ['7', 'true', '{}', '[]'], 'text'],
    ['number', ['7', '-0.5'], ['"7"', 'true', '1e999', '[]'], 'a number'],
    ['boolean', ['true', 'false'], ['"true"', '1', '{}'], 'true or false'],
    ['object', ['{}'], ['[]', '"{}"', '7'], 'an object'],
    ['array', ['[]', '[1]'], ['{}', '"[]"', '7'], 'a list'],
  ])('of type %s are %j, and not %j', (type, right, wrong, words) => {
    const definition = http([parameter('it', type)]);
    for (const each of right)
      expect(readArguments(definition, given(`{"it":${each}}`))).toMatchObject({
        kind: 'read',
        values: { it: JSON.parse(each) },
      });
    for (const each of wrong)
      expect(readArguments(definition, given(`{"it":${each}}`))).toEqual({
        kind: 'invalid',
        error: `the argument it must be ${words}`,
      });
  });

  test('that are null are not given', () => {
    expect(readArguments(http([parameter('item')]), { item: null })).toMatchObject({
      values: {},
      ignored: [],
    });
  });

  test.each([
    [{ type: 'native', config: { action: 'do_not_call' } }, {}],
    [{ type: 'calculator' }, { expression: '1' }],
    [{ type: 'end_call', config: {} }, {}],
    [{ type: 'end_call', config: { endCallReason: true } }, { reason: 'done' }],
    [{ type: 'transfer_call', config: { destination: '+4930123456' } }, {}],
    [{ type: 'transfer_call', config: { parameters: [parameter('destination')] } }, { destination: 'x' }],
    [
      {
        type: 'transfer_call',
        config: {
          destination_source: 'dynamic',
          parameters: [parameter('destination')],
          resolver: {
            parameters: [parameter('topic'), parameter('key')],
            preset_parameters: [parameter('key')],
          },
        },
      },
      { topic: 'sales' },
    ],
  ])('of %j are only %j', (definition, values) => {
    const everything = {
      expression: '1',
      reason: 'done',
      destination: 'x',
      topic: 'sales',
      key: 'k',
      phone: '1',
    };
    expect(readArguments(definition, everything)).toMatchObject({ kind: 'read', values });
    const read = readArguments(definition, everything);
    expect(read.kind === 'read' ? Object.keys(read.values) : []).toEqual(Object.keys(values));
  });
});
