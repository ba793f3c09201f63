import { expect, test } from '@jest/globals';
import { CreateToolRequest } from '../../../src/contract/tools.ts';
import { check } from '../../../src/contract/lax/records.ts';

test('the tool type that only this service has is taken, and not offered to published clients', () => {
  const definition = { type: 'native', config: { action: 'do_not_call' } };
  expect(check(CreateToolRequest, 'body', { name: 'Stop', definition })).toMatchObject({
    ok: true,
    value: { definition },
  });
  expect(
    check(CreateToolRequest, 'body', { name: 'Stop', definition: { ...definition, type: 'foo' } }),
  ).toMatchObject({
    ok: false,
    records: [
      {
        type: 'union_tag_invalid',
        ctx: { expected_tags: "'http_api', 'end_call', 'transfer_call', 'calculator', 'mcp'" },
      },
    ],
  });
});
