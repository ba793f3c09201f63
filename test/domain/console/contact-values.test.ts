import { expect, test } from '@jest/globals';
import { contextOf, firstLineOf } from '../../../console/src/screens/campaigns/contact-values.ts';

const mapping = {
  phone: 'Phone',
  identifier: null,
  time_zone: null,
  do_not_call: null,
  priority: null,
  opening_line: { type: 'how', text: 'line', recording_id: 'sound' },
  skipped: ['secret'],
  default_country: null,
  unassigned_numbers: 'call' as const,
  duplicates: 'first' as const,
};
const columns = ['Phone', 'name', 'how', 'line', 'sound', 'secret'];
const valuesOf = (...cells: string[]) =>
  contextOf(columns, mapping, { row_number: 17, phone_number: '14155550117', identifier: null, cells });
const start = (data: object) => ({
  nodes: [
    { id: 'a', type: 'agentNode', data: {} },
    { id: 's', type: 'startCall', data },
  ],
});
const greets = start({ greeting: 'Hello {{name | you}}, at {{phone_number}}.' });

test("a row's values are those of its call: its columns, its number and its own first line", () => {
  expect(valuesOf('+1 415 555 0117', 'Priya', 'Text', 'Hi {{name}}!', '', 'x')).toEqual({
    name: 'Priya',
    phone_number: '14155550117',
    greeting_override: { type: 'text', text: 'Hi {{name}}!' },
  });
  expect(valuesOf('', 'Priya', 'audio', '', 'r-1', '')).toMatchObject({
    greeting_override: { type: 'audio', recording_id: 'r-1' },
  });
  expect(valuesOf('', 'Priya', 'audio', '', '', '')).not.toHaveProperty('greeting_override');
});

test.each([
  [
    'the greeting with the values of the row',
    greets,
    ['', 'Priya'],
    { kind: 'text', text: 'Hello Priya, at 14155550117.' },
  ],
  ['its default for an empty cell', greets, ['', ''], { kind: 'text', text: 'Hello you, at 14155550117.' }],
  [
    'the line of the row instead',
    greets,
    ['', 'Priya', 'text', 'Hi {{name}}!'],
    { kind: 'text', text: 'Hi Priya!' },
  ],
  ['the recording of the row instead', greets, ['', 'Priya', 'audio', '', 'r-1'], { kind: 'recording' }],
  [
    'a recording',
    start({ greeting_type: 'audio', greeting_recording_id: 'r-2' }),
    ['', ''],
    { kind: 'recording' },
  ],
  ['what the model says', start({}), ['', 'Priya'], { kind: 'model' }],
  ['what the model says, for an empty line', start({ greeting: '{{nothing}}' }), ['', ''], { kind: 'model' }],
])('the first line of a row is %s', (_, definition, cells, line) => {
  expect(firstLineOf(definition, valuesOf(...cells))).toEqual(line);
});
