import { expect, test } from '@jest/globals';
import { globalPromptOf, renderedText } from '../../../console/src/graph/rendered.ts';
import { promptVariables, renderSystemPrompt } from '../../../src/domain/rendering/render.ts';

const values = { first_name: 'Maria', visit: { day: 'Tuesday' }, empty: '' };
const now = new Date('2026-11-24T15:43:04Z');

test.each([
  ['Hello {{first_name}}.', null],
  ['{{initial_context.first_name}} on {{visit.day}} {{empty | at noon}} {{unknown}}', 'You are Ava.'],
  ['{{current_weekday_America/New_York}} {{current_time_UTC}} {{current_time_Nowhere}}', null],
  ['{{ first_name | you }} and {{{first_name}}} and {{', '  '],
])('the editor shows %j as the model gets it', (text, globalPrompt) => {
  expect(renderedText(text, { values, globalPrompt, now })).toBe(
    renderSystemPrompt({ globalPrompt, nodePrompt: text, variables: promptVariables(values), now }),
  );
});

test('the global prompt is shown with steps that add it', () => {
  const node = (id: string, type: string, data: Record<string, unknown>) => ({
    id,
    type,
    position: { x: 0, y: 0 },
    data,
  });
  const step = node('a', 'agentNode', {});
  const alone = node('b', 'agentNode', { add_global_prompt: false });
  const draft = {
    name: '',
    nodes: [step, alone, node('g', 'globalNode', { prompt: 'You are Ava.' })],
    edges: [],
    rest: {},
    settings: {},
    values: {},
  };
  expect([globalPromptOf(draft, step), globalPromptOf(draft, alone)]).toEqual(['You are Ava.', null]);
});
