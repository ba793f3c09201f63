import { describe, expect, test } from '@jest/globals';
import {
  parseJsonObject,
  parseToolArguments,
  ToolCallAssembler,
  type ToolCallDelta,
} from '../../../src/providers/llm/tool-calls.ts';

function assemble(...deltas: ToolCallDelta[]) {
  const assembler = new ToolCallAssembler();
  for (const delta of deltas) assembler.add(delta);
  return assembler.finish()?.map(({ id, name, argumentsText }) => [id, name, argumentsText]) ?? null;
}

describe('tool calls in pieces', () => {
  test('are separated by index when the pieces of two calls alternate', () => {
    expect(
      assemble(
        { index: 0, id: 'a', function: { name: 'one', arguments: '{"x"' } },
        { index: 1, id: 'b', function: { name: 'two', arguments: '{"y"' } },
        { index: 0, function: { arguments: ':1}' } },
        { index: 1, function: { arguments: ':2}' } },
      ),
    ).toEqual([
      ['a', 'one', '{"x":1}'],
      ['b', 'two', '{"y":2}'],
    ]);
  });

  test('are separated by id alone when the pieces of two calls alternate', () => {
    expect(
      assemble(
        { index: 0, id: 'a', function: { name: 'one', arguments: '{"x"' } },
        { index: 0, id: 'b', function: { name: 'two', arguments: '{"y"' } },
        { index: 0, id: 'a', function: { arguments: ':1}' } },
        { index: 0, id: 'b', function: { arguments: ':2}' } },
      ),
    ).toEqual([
      ['a', 'one', '{"x":1}'],
      ['b', 'two', '{"y":2}'],
    ]);
  });

  test('extend the last call if a piece has neither index nor id', () => {
    expect(
      assemble(
        { function: { name: 'one' } },
        { function: { arguments: '{}' } },
        { id: '', function: { name: 'two', arguments: '' } },
        { function: { arguments: '{"y":2}' } },
      ),
    ).toEqual([
      ['call_0', 'one', '{}'],
      ['call_1', 'two', '{"y":2}'],
    ]);
  });

  test('are one call while a repeated name comes before its arguments are complete', () => {
    expect(
      assemble(
        { index: 0, function: { name: 'one', arguments: '{"x"' } },
        { index: 0, function: { name: 'one', arguments: ':1}' } },
        { index: 0, function: { name: 'one', arguments: '{"x":2}' } },
      ),
    ).toEqual([
      ['call_0', 'one', '{"x":1}'],
      ['call_1', 'one', '{"x":2}'],
    ]);
  });

  test('may have arguments as an object instead of text', () => {
    expect(assemble({ index: 0, id: 'a', function: { name: 'one', arguments: { x: 1 } } })).toEqual([
      ['a', 'one', '{"x":1}'],
    ]);
  });

  test('without a name are rejected', () => {
    expect(assemble({ index: 0, id: 'a', function: { arguments: '{}' } })).toBeNull();
  });
});

describe('arguments', () => {
  test.each([
    ['', {}],
    ['  ', {}],
    ['null', {}],
    ['{"a":1}', { a: 1 }],
    ['```json\n{"a":1}\n```', { a: 1 }],
    ['Here you are: {"a":{"b":"}"}} — done', { a: { b: '}' } }],
    ['"{\\"a\\":1}"', { a: 1 }],
    ['{"a":', null],
    ['[1]', null],
    ['yes', null],
    ['} {', null],
  ])('%j are read as %j', (text, expected) => {
    expect(parseToolArguments(text)).toEqual(expected);
  });

  test('may have a key called __proto__', () => {
    const parsed = parseJsonObject('{"__proto__":{"admin":true}}');
    expect(Object.keys(parsed ?? {})).toEqual(['__proto__']);
    expect(Object.hasOwn(Object.prototype, 'admin')).toBe(false);
  });
});
