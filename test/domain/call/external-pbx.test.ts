import { expect, test } from '@jest/globals';
import { readAgentSettings } from '../../../src/domain/agents/settings.ts';
import { externalPbxFields } from '../../../src/domain/call/external-pbx.ts';

const gathered = {
  day: ' Monday ',
  address: { city: 'Berlin', zip: 10115 },
  yes: false,
  empty: '   ',
  nothing: null,
  extracted_variables: { only_here: 'found', 'nested.name': 'exact', day: 'not this one' },
};

const fieldsOf = (settings: Record<string, unknown>) =>
  externalPbxFields(readAgentSettings(settings).externalPbxFieldMappings, gathered);

test.each<[string, string | undefined]>([
  ['day', 'Monday'],
  ['gathered_context.day', 'Monday'],
  ['address.city', 'Berlin'],
  ['address.zip', '10115'],
  ['yes', 'false'],
  ['only_here', 'found'],
  ['extracted_variables.only_here', 'found'],
  ['empty', undefined],
  ['nothing', undefined],
  ['absent', undefined],
  ['address.only_here', undefined],
  ['toString', undefined],
])('the path %s gives %p; absent and empty values are left out', (context_path, expected) => {
  const fields = fieldsOf({
    external_pbx_field_mappings: [{ context_path, destination_field: 'field' }],
  });
  expect(fields).toEqual(expected === undefined ? {} : { field: expected });
});

test('there are no fields without mappings', () => {
  expect(fieldsOf({})).toBeNull();
  expect(fieldsOf({ external_pbx_field_mappings: [] })).toBeNull();
});
