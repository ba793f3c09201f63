import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { demoRules } from '../../emulators/llm/demo-rules.ts';
import { callsOf, RuleList } from '../../emulators/llm/rules.ts';
import { startLlmEmulator, type LlmEmulator } from '../../emulators/llm/server.ts';
import { shippedRules } from '../../emulators/llm/shipped-rules.ts';
import { collectReply } from '../../src/services/models/collect-reply.ts';
import { createOpenAiLlm } from '../../src/providers/llm/openai.ts';
import type { LlmMessage, LlmPort } from '../../src/providers/llm/port.ts';
import { demoAgent, type DemoNode } from '../../tools/demo/agent.ts';
import { callersLines, expectedPath, expectedVariables } from '../../tools/demo/script.ts';

let emulator: LlmEmulator;
let llm: LlmPort;
beforeAll(async () => {
  emulator = await startLlmEmulator({ rules: shippedRules });
  llm = createOpenAiLlm({ apiKey: 'simulated-demo', baseUrl: emulator.url });
});
afterAll(() => emulator.close());

const { nodes, edges } = demoAgent({ webhookUrl: 'http://127.0.0.1:1/' }).workflow_definition;
const functionName = (label: string) => label.toLowerCase().replaceAll(/[^a-z0-9]/g, '_');

function nodeById(id: string): DemoNode {
  const node = nodes.find((each) => each.id === id);
  if (node === undefined) throw new Error(`The demo has no node ${id}`);
  return node;
}

function ask(node: DemoNode, history: LlmMessage[]) {
  const tools = edges
    .filter(({ source }) => source === node.id)
    .map(({ data }) => ({
      name: functionName(data.label),
      description: data.condition,
      parameters: { type: 'object', properties: {} },
    }));
  const messages = [{ role: 'system' as const, content: String(node.data['prompt']) }, ...history];
  return collectReply(
    llm.stream({ model: 'demo', messages, tools }, { signal: new AbortController().signal }),
  );
}

/** Walks the graph with the caller's lines like the service, without transition speech and templates. */
async function walk(lines: readonly string[]): Promise<{ path: unknown[]; history: LlmMessage[] }> {
  let node = nodeById('welcome');
  const path: unknown[] = [node.data['name']];
  const history: LlmMessage[] = [{ role: 'assistant', content: String(node.data['greeting']) }];
  for (const content of lines) {
    history.push({ role: 'user', content });
    let reply = await ask(node, history);
    while (reply.toolCalls[0] !== undefined) {
      const chosen = reply.toolCalls[0].name;
      const edge = edges.find(
        ({ source, data }) => source === node.id && functionName(data.label) === chosen,
      );
      node = nodeById(edge?.target ?? '');
      path.push(node.data['name']);
      reply = await ask(node, history);
    }
    history.push({ role: 'assistant', content: reply.text });
  }
  return { path, history };
}

async function extract(history: LlmMessage[], names: readonly string[]): Promise<unknown> {
  const transcript = history.map(({ role, content }) => `${role}: ${content}`).join('\n');
  const schema = {
    type: 'object',
    properties: Object.fromEntries(
      names.map((each) => [each, { type: ['string', 'number', 'boolean', 'null'] }]),
    ),
    required: [...names],
    additionalProperties: false,
  };
  const messages = [{ role: 'user' as const, content: `Values as JSON.\n\n${transcript}` }];
  const { text } = await collectReply(
    llm.stream(
      { model: 'demo', messages, tools: [], responseFormat: { name: 'values', schema } },
      { signal: new AbortController().signal },
    ),
  );
  return JSON.parse(text);
}

test('the script leads through every node to the goodbye, and every line is answered', async () => {
  const { path, history } = await walk(callersLines);
  expect(path).toEqual(expectedPath);
  expect(history.every(({ content }) => content !== '')).toBe(true);
  expect(history.filter(({ role }) => role === 'assistant').map(({ content }) => content)).toEqual([
    expect.stringContaining('Is this a good moment?'),
    expect.stringContaining('as planned?'),
    expect.stringContaining('Which day and time'),
    'I have noted Thursday at 3 PM. Is that right?',
    expect.stringContaining('with somebody who is to be seen too'),
    expect.stringContaining('Parking behind the building is free'),
    expect.stringContaining('Goodbye!'),
  ]);
});

test("values are read from the caller's lines in the transcript", async () => {
  const { history } = await walk(callersLines);
  expect(await extract(history, Object.keys(expectedVariables))).toEqual(expectedVariables);
});

test('another caller takes another path, and values that were not said are null', async () => {
  const { path, history } = await walk(['Sure, go ahead.', "Yes, I'll be there.", 'No, nothing else. Bye!']);
  expect(path).toEqual(['Welcome', 'Confirm the appointment', 'Companions and questions', 'Goodbye']);
  expect(await extract(history, Object.keys(expectedVariables))).toEqual({
    confirmed: true,
    reason: null,
    preferred_time: null,
    party_size: null,
    call_back_wanted: null,
  });
});

test('the demonstration extracts what its script expects, and its rules call only functions of its edges', () => {
  const variables = nodes
    .flatMap(({ data }) => (Array.isArray(data['extraction_variables']) ? data['extraction_variables'] : []))
    .map(({ name }: { name: string }) => name);
  expect(variables.toSorted()).toEqual(Object.keys(expectedVariables).toSorted());
  const called = RuleList.parse(demoRules).flatMap(({ answer }) => callsOf(answer).map(({ tool }) => tool));
  expect(called.toSorted()).toEqual(edges.map(({ data }) => functionName(data.label)).toSorted());
});
