import { expect, test } from '@jest/globals';
import { judgeMessages } from '../../../src/domain/qa/prompt.ts';
import { renderTemplate } from '../../../src/domain/rendering/render.ts';

const passage = {
  nodeId: 'ask',
  lines: ['assistant: When?', 'user: {{name}} says Monday'],
  before: ['assistant: Hello'],
  metrics: { user_lines: 1, assistant_lines: 1, tool_calls: 0, seconds: 4 },
};
const render = (template: string, values: Record<string, unknown>) =>
  renderTemplate(template, { variables: { name: 'Ada', ...values }, now: new Date(0) });
const ask = (systemPrompt: string | null) =>
  judgeMessages({ passage, nodeName: 'Ask', task: 'Ask for the day.', systemPrompt, render });

test('our own instructions ask for one JSON object with a strict schema', () => {
  const { messages, responseFormat } = ask(null);
  expect(messages[0]?.content).toContain('"call_quality_score"');
  expect(messages[1]?.content).toBe(
    'Step: Ask\n\nWhat the assistant was told to do in this step:\nAsk for the day.\n\nSaid before this step:\nassistant: Hello\n\nSaid in this step:\nassistant: When?\nuser: {{name}} says Monday',
  );
  expect(responseFormat?.schema).toMatchObject({
    required: ['call_quality_score', 'overall_sentiment', 'summary', 'tags'],
    additionalProperties: false,
  });
});

test("the customer's instructions are rendered with the names that published agents use; transcript text is never rendered", () => {
  const { messages, responseFormat } = ask(
    'For {{name}} at {{node_name}}: {{node_summary}} {{previous_conversation_summary}} {{metrics}} {{transcript}}',
  );
  expect(messages[0]?.content).toBe(
    'For Ada at Ask: Ask for the day. assistant: Hello {"user_lines": 1, "assistant_lines": 1, "tool_calls": 0, "seconds": 4} assistant: When?\nuser: {{name}} says Monday',
  );
  expect(responseFormat).toBeUndefined();
});

test('a long conversation before the step is truncated to its end', () => {
  const { messages } = judgeMessages({
    passage: { ...passage, before: ['user: first', `user: ${'x'.repeat(25_000)}`, 'user: last'] },
    nodeName: 'Ask',
    task: '',
    systemPrompt: null,
    render,
  });
  expect(messages[1]?.content).toContain('user: last');
  expect(messages[1]?.content).not.toContain('user: first');
});
