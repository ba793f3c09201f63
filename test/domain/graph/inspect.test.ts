import { describe, expect, test } from '@jest/globals';
import { inspectDefinition } from '../../../src/domain/graph/inspect.ts';
import { composeAgent } from '../../../src/domain/agent-templates/compose.ts';
import { agentTemplates } from '../../../src/domain/agent-templates/templates.ts';
import type { Surroundings } from '../../../src/domain/graph/validate.ts';
import { calling, edge, end, inspectedGraphs, prompting, start } from './inspected-graphs.ts';

/** Codes with what they are about. */
const seen = (definition: object, testValues?: Record<string, unknown>) =>
  inspectDefinition({ ...definition }, testValues === undefined ? {} : { testValues }).map(
    ({ severity, code, id, field }) => [severity, code, id, field].join(' '),
  );

describe('checking a graph in an editor (contract 2.7)', () => {
  test.each(inspectedGraphs)('%s', (_what, definition, expected) => {
    expect(seen(definition)).toEqual(expected);
  });

  test.each([
    ['Wants a date', 'Wants date', true],
    ['Has questions', 'Has question', true],
    ['Date is known', 'Known is date', true],
    ['Date is known', 'Date is unknown', false],
    ['Can come', 'Can not come', false],
    ['Option 1', 'Option 2', false],
    ['Yes', 'No', false],
  ])('%s and %s are alike: %s', (one, other, isAlike) => {
    const found = seen({ nodes: [start(), end], edges: [edge('s', 'e', one), edge('s', 'e', other)] });
    expect(found).toEqual(isAlike ? [`warning transitions_alike s-e-${other} data.label`] : []);
  });

  test('a node that names a tool which calls are not offered gets a warning, if the offered tools are known', () => {
    const graph = { nodes: [start({ tool_uuids: ['live', 'old'] }), end], edges: [edge('s', 'e')] };
    const warned = inspectDefinition(graph, { toolNames: new Map([['live', 'look_up']]) });
    expect(warned).toMatchObject([
      { severity: 'warning', code: 'tool_not_offered', id: 's', field: 'tool_uuids' },
    ]);
    expect(seen(graph)).toEqual([]);
  });

  test.each([
    ['This is an AI calling.', true],
    ['I am an ai assistant of Acme.', true],
    ['This is an automated call.', true],
    ["J'ai une question pour vous.", false],
    ['Guten Tag, hier ist die virtuelle Assistentin der Praxis.', true],
    ['Hier spricht die KI der Praxis.', true],
    ["Bonjour, ici l'assistant vocal de la mairie.", true],
    ['Hola, soy el asistente virtual de Acme.', true],
    ['Olá, aqui é o robô da Acme.', true],
    ['Здравствуйте, это голосовой помощник банка.', true],
    ['こんにちは、AIアシスタントです。', true],
    ['您好，我是智能客服。', true],
    ['Hello, this is Ava of the MAIL order company.', false],
    ['Did our answering machine get you?', false],
    ['Hello {{ai | Ava}}.', false],
  ])('a greeting of a call that discloses a machine gets no warning: %s', (greeting, isDisclosed) => {
    const warned = seen(calling({ greeting })).filter((each) => each.includes('disclosure'));
    expect(warned).toEqual(isDisclosed ? [] : ['warning disclosure_missing s greeting']);
  });

  test.each<[string, Surroundings, boolean]>([
    ['the built-in tool', { toolNames: new Map([['t', 'stop']]), optOutTools: new Set(['t']) }, true],
    ['a tool of the name', { toolNames: new Map([['t', 'unsubscribe_caller']]) }, true],
    ['another tool', { toolNames: new Map([['t', 'look_up']]), optOutTools: new Set() }, false],
    ['a tool that is not known', {}, true],
  ])('a node with %s offers an opt-out, as far as is known', (_what, tools, isOffered) => {
    const graph = calling({
      prompt: 'Say that you are an AI.',
      extraction_enabled: false,
      tool_uuids: ['t'],
    });
    expect(inspectDefinition(graph, tools).map(({ code }) => code)).toEqual(
      isOffered ? [] : ['opt_out_missing'],
    );
  });

  test.each([
    [
      'Hello, this is Ava of {{company.name | Acme}}. Hi!',
      'Hello, this is Ava of {{company.name | Acme}}. I am an AI assistant. Hi!',
    ],
    ['Hello', 'Hello. I am an AI assistant.'],
  ])('the fix of a greeting without disclosure adds a sentence after the first: %s', (greeting, mended) => {
    const [found] = inspectDefinition(calling({ greeting }));
    if (found?.fix?.edit.op !== 'replace_text') throw new Error('no text to add');
    const { start: from, end: to, text } = found.fix.edit;
    expect(greeting.slice(0, from) + text + greeting.slice(to)).toBe(mended);
    expect(seen(calling({ greeting: mended }))).toEqual([]);
  });

  test('the fix of a missing opt-out lets every node of the conversation extract it', () => {
    const graph = calling({ prompt: 'Say that you are an AI.', extraction_enabled: false });
    const [found] = inspectDefinition(graph);
    expect(found?.fix?.edit).toMatchObject({
      op: 'add_variable',
      ids: ['s', 'e'],
      variable: { name: 'do_not_call' },
    });
  });

  test.each(agentTemplates)(
    'a new agent from the template $name has nothing to warn of but its webhook',
    ({ design, testValues }) => {
      expect(seen(composeAgent(design), testValues)).toEqual([
        'warning webhook_without_address result endpoint_url',
      ]);
    },
  );

  test('with test values, a variable that is not among them is unknown', () => {
    expect(seen(prompting('{{first_name}} {{frist_name}}'), { first_name: 'Ada' })).toEqual([
      'warning default_missing s prompt',
      'warning variable_unknown s prompt',
    ]);
  });

  test('ranges are places in the text as it was written, and the fix removes the warning', () => {
    const prompt = String.raw`One\n{{ day }} and\n\n{{initial_context.city}}`;
    const found = inspectDefinition(prompting(prompt));
    expect(found.map(({ range }) => prompt.slice(range?.start, range?.end))).toEqual([
      '{{ day }}',
      '{{initial_context.city}}',
    ]);
    const fixed = found.toReversed().reduce((text, { fix }) => {
      if (fix?.edit.op !== 'replace_text') throw new Error('no text to replace');
      return text.slice(0, fix.edit.start) + fix.edit.text + text.slice(fix.edit.end);
    }, prompt);
    expect(seen(prompting(fixed))).toEqual([]);
  });

  test('whatever a draft holds, it is read', () => {
    expect(seen({ nodes: [{ id: 4 }, { id: 'a', type: 'agentNode', data: [] }], edges: [{}, 3] })).toContain(
      'error element_not_object  edges',
    );
    expect(seen({})).toContain('error list_missing  nodes');
  });
});
