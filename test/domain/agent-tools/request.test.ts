import { describe, expect, test } from '@jest/globals';
import { buildToolRequest } from '../../../src/domain/agent-tools/request.ts';

const built = (
  config: Record<string, unknown>,
  variables: Record<string, unknown>,
  values: Record<string, unknown> = {},
) => {
  const made = buildToolRequest({
    config: { url: 'https://shop.example/orders', ...config },
    values,
    presets: {},
    rendering: { variables, now: new Date('2026-11-23T10:00:00Z') },
  });
  return made.kind === 'ready' ? JSON.parse(made.request.body ?? 'null') : made.error;
};
const preset = (type: string, value_template: string) => ({
  preset_parameters: [{ name: 'it', type, value_template, required: false }],
});

describe('the body of a tool request', () => {
  test('holds values as they are: a template in a value is not rendered', () => {
    const variables = { key: 'secret', name: '{{key}}' };
    expect(built({}, variables, { item: '{{key}}' })).toEqual({ item: '{{key}}' });
    expect(
      built({ body_template: { a: '{{item}}', '{{name}}': '{{name}}' } }, variables, { item: '{{key}}' }),
    ).toEqual({ a: '{{key}}', '{{key}}': '{{key}}' });
    expect(built(preset('string', '{{name}}'), variables)).toEqual({ it: '{{key}}' });
  });

  test('has no value of the call in place of a preset parameter without a value', () => {
    const config = { ...preset('string', '{{nothing}}'), body_template: { it: '{{it}}', is: '{{is}}' } };
    expect(built(config, { it: 'learned', is: 'known' })).toEqual({ it: '', is: 'known' });
    expect(built(preset('string', '{{nothing}}'), { it: 'learned' })).toEqual({});
  });

  test.each([
    ['{"name":"{{name}}"}', { name: 'Ada' }, { name: 'Ada' }],
    ['{"name":"{{name}}"}', { name: 'x","admin":true,"y":"' }, { name: 'x","admin":true,"y":"' }],
    ['{"name":"{{name}}"}', { name: 'two\nlines \\' }, { name: 'two\nlines \\' }],
    ['{"name":"{{none | Nobody}}"}', {}, { name: 'Nobody' }],
    ['{"n":{{n}},"name":"{{name}}"}', { n: 3, name: 'Ada' }, { n: 3, name: 'Ada' }],
    ['{{whole}}', { whole: { a: [1] } }, { a: [1] }],
    ['{"n":{{n}}}', { n: '1,"admin":true' }, null],
    ['{"n":{{n}}}', { n: 'Ada' }, null],
    ['{"a":"\\{{name}}"}', { name: '","admin":"' }, null],
  ])('gets the preset %s with %j, whose structure no value changes', (template, variables, value) => {
    expect(built(preset('object', template), variables)).toEqual(
      value === null ? 'the preset parameter it does not have its declared type' : { it: value },
    );
  });
});
