import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { defaultSentence } from '../../emulators/llm/decide.ts';
import { RuleList } from '../../emulators/llm/rules.ts';
import { startLlmEmulator, type LlmEmulator } from '../../emulators/llm/server.ts';
import { shippedRules } from '../../emulators/llm/shipped-rules.ts';
import { templateReadings, templateRules } from '../../emulators/llm/template-rules.ts';
import { composeAgent } from '../../src/domain/agent-templates/compose.ts';
import { openingId } from '../../src/domain/agent-templates/design.ts';
import type { AgentTemplate } from '../../src/domain/agent-templates/template.ts';
import { agentTemplates } from '../../src/domain/agent-templates/templates.ts';
import { functionNameOf } from '../../src/domain/graph/function-name.ts';
import { createOpenAiLlm } from '../../src/providers/llm/openai.ts';
import type { LlmPort } from '../../src/providers/llm/port.ts';
import { collectReply } from '../../src/services/models/collect-reply.ts';
import { at } from '../support/api-on-services.ts';

let emulator: LlmEmulator;
let llm: LlmPort;
beforeAll(async () => {
  emulator = await startLlmEmulator({ rules: shippedRules });
  llm = createOpenAiLlm({ apiKey: 'simulated-templates', baseUrl: emulator.url });
});
afterAll(() => emulator.close());

const nodesOf = (list: unknown): unknown[] => [list].flat();

/** Reads the copy of a template as the service offers it to the model. */
function graphOf({ design }: AgentTemplate) {
  const graph = composeAgent(design);
  const nodes = nodesOf(graph['nodes']);
  const promptOf = (id: string) =>
    String(
      at(
        nodes.find((node) => at(node, 'id') === id),
        'data',
        'prompt',
      ),
    );
  return {
    promptOf: (id: string) => `${promptOf('manner')}\n\n${promptOf(id)}`,
    waysFrom: (id: string) =>
      nodesOf(graph['edges'])
        .filter((edge) => at(edge, 'source') === id)
        .map((edge) => ({
          to: String(at(edge, 'target')),
          name: functionNameOf(String(at(edge, 'data', 'label'))),
          description: String(at(edge, 'data', 'condition')),
        })),
  };
}

/** The nodes that one reply leads through, beginning with the one that asked, and the last one's words. */
async function reply(template: AgentTemplate, from: string, content: string) {
  const graph = graphOf(template);
  const path = [from];
  for (;;) {
    const ways = graph.waysFrom(path.at(-1) ?? '');
    const answer = await collectReply(
      llm.stream(
        {
          model: 'simulated',
          messages: [
            { role: 'system', content: graph.promptOf(path.at(-1) ?? '') },
            { role: 'user', content },
          ],
          tools: ways.map(({ name, description }) => ({
            name,
            description,
            parameters: { type: 'object', properties: {} },
          })),
        },
        { signal: new AbortController().signal },
      ),
    );
    const way = ways.find(({ name }) => name === answer.toolCalls[0]?.name);
    if (way === undefined) return { path, text: answer.text };
    path.push(way.to);
  }
}

test('the rules are well-formed', () => {
  expect(() => RuleList.parse(templateRules)).not.toThrow();
});

describe.each(agentTemplates.map((template) => [template.name, template] as const))(
  'the simulated model in a copy of %s',
  (_name, template) => {
    const { design, sampleReplies } = template;
    const asking = [openingId, ...design.steps.map(({ id }) => id)];
    const samples = Object.entries(sampleReplies).flatMap(([from, said]) =>
      said.map((text) => [from, text] as const),
    );

    test('has two to four short sample replies for each node of the conversation', () => {
      expect(Object.keys(sampleReplies)).toEqual(asking);
      for (const said of Object.values(sampleReplies)) {
        expect(said.length).toBeGreaterThanOrEqual(2);
        expect(said.length).toBeLessThanOrEqual(4);
        for (const text of said) expect(text.length).toBeLessThanOrEqual(70);
      }
    });

    test('leads the sample replies, said in order at each node, to an end', async () => {
      const path = [openingId];
      const left = new Map(Object.entries(sampleReplies).map(([id, said]) => [id, [...said]]));
      for (;;) {
        const next = left.get(path.at(-1) ?? '')?.shift();
        if (next === undefined) break;
        path.push(...(await reply(template, path.at(-1) ?? '', next)).path.slice(1));
      }
      expect(design.ends.map(({ id }) => id)).toContain(path.at(-1));
    });

    test.each(samples)(
      'at %s answers “%s” in words of its own and moves at most one node',
      async (from, said) => {
        const { path, text } = await reply(template, from, said);
        expect(path.length).toBeLessThanOrEqual(2);
        expect(text).not.toBe('');
        expect(text).not.toContain(defaultSentence);
      },
    );

    test('reaches every intended end by one of the sample replies', async () => {
      const reached = new Set<string>();
      for (const [from, said] of samples) reached.add((await reply(template, from, said)).path.at(-1) ?? '');
      const missed = design.ends.map(({ id }) => id).filter((id) => !reached.has(id));
      expect(missed.filter((id) => !['wrong_person', 'call_back_later'].includes(id))).toEqual([]);
    });

    test('asks again after words that it does not understand', async () => {
      for (const from of asking) {
        const { path, text } = await reply(template, from, 'Hm.');
        expect({ path, isOwn: text !== '' && !text.includes(defaultSentence) }).toEqual({
          path: [from],
          isOwn: true,
        });
      }
    });

    test('knows words for every value but the ones that a person names freely', () => {
      const wanted = [design.opening, ...design.steps, ...design.ends].flatMap(({ variables = [] }) =>
        variables.map(({ name }) => name),
      );
      const free = [
        'callback_at',
        'confirmed',
        'customer_number',
        'is_complaint',
        'preferred_time',
        'reason',
        'right_address',
      ];
      expect(wanted.filter((name) => !(name in templateReadings) && !free.includes(name))).toEqual([]);
    });
  },
);

test('an end gives its disposition, and values of the words before it', async () => {
  const properties = Object.fromEntries(
    ['call_disposition', 'why_not'].map((name) => [name, { type: ['string', 'null'] }]),
  );
  const { text } = await collectReply(
    llm.stream(
      {
        model: 'simulated',
        messages: [
          { role: 'system', content: 'You read a conversation' },
          {
            role: 'user',
            content:
              '- call_disposition (string): How the conversation ended. Write exactly: user_disqualified\n\nassistant: A budget?\nuser: There is no budget for it.\n',
          },
        ],
        tools: [],
        responseFormat: {
          name: 'values',
          schema: {
            type: 'object',
            properties,
            required: Object.keys(properties),
            additionalProperties: false,
          },
        },
      },
      { signal: new AbortController().signal },
    ),
  );
  expect(JSON.parse(text)).toEqual({ call_disposition: 'user_disqualified', why_not: 'no budget' });
});
