import { describe, expect, test } from '@jest/globals';
import { compilePlan, maxPlanBytes } from '../../../src/domain/graph/compile.ts';
import { edgeOf } from '../../../src/domain/graph/edges.ts';
import { GraphError } from '../../../src/domain/graph/faults.ts';
import { functionNameOf, offerableNames } from '../../../src/domain/graph/function-name.ts';
import { edgeTools, globalPrompt, nodeOf, webhookNodes } from '../../../src/domain/graph/model.ts';
import { planNode } from '../../../src/domain/graph/plan.ts';
import { complete, edge, node } from './samples.ts';

describe('the plan', () => {
  test('contains ids, kinds, names and edges of the conversation, and no prompt', () => {
    const plan = compilePlan(
      complete([node('webhook'), node('trigger'), node('qa')], [edge('trigger', 'startCall')]),
    );
    expect(plan).toEqual({
      startNodeId: 'startCall',
      nodes: [
        {
          id: 'startCall',
          kind: 'startCall',
          name: 'startCall',
          extraction: false,
          edges: [{ id: 'startCall-agentNode', target: 'agentNode' }],
        },
        {
          id: 'agentNode',
          kind: 'agentNode',
          name: 'agentNode',
          extraction: false,
          edges: [{ id: 'agentNode-endCall', target: 'endCall' }],
        },
        { id: 'endCall', kind: 'endCall', name: 'endCall', extraction: false, edges: [] },
      ],
      webhookNodeIds: ['webhook'],
    });
  });

  test('enables extraction only with the switch and a variable', () => {
    const agent = (id: string, data: object) => node('agentNode', { id, data: { ...data } });
    const plan = compilePlan(
      complete([
        agent('on', { extraction_enabled: true, extraction_variables: [{ name: 'a' }] }),
        agent('off', { extraction_variables: [{ name: 'a' }] }),
        agent('none', { extraction_enabled: true }),
      ]),
    );
    expect(['on', 'off', 'none'].map((id) => planNode(plan, id)?.extraction)).toEqual([true, false, false]);
  });

  test('gives two edges with one id different ids, which also find the edges', () => {
    const definition = complete(
      [],
      [
        edge('agentNode', 'endCall', { label: 'other' }),
        { ...edge('startCall', 'endCall'), id: 'agentNode-endCall' },
      ],
    );
    const ids = compilePlan(definition).nodes.flatMap(({ edges }) => edges.map(({ id }) => id));
    expect(ids).toEqual([
      'startCall-agentNode',
      'agentNode-endCall#3',
      'agentNode-endCall',
      'agentNode-endCall#2',
    ]);
    expect(edgeOf(definition, 'agentNode-endCall#2')?.label).toBe('other');
    expect(edgeOf(definition, 'agentNode-endCall#3')?.source).toBe('startCall');
    expect(edgeOf(definition, 'ghost')).toBeNull();
  });

  test('keeps nodes called __proto__ and constructor through JSON', () => {
    const plan = compilePlan(
      complete(
        [node('agentNode', { id: '__proto__' }), node('agentNode', { id: 'constructor' })],
        [edge('__proto__', 'constructor')],
      ),
    );
    const carried: typeof plan = JSON.parse(JSON.stringify(plan));
    expect(planNode(carried, '__proto__')?.edges[0]?.target).toBe('constructor');
    expect(planNode(carried, 'toString')).toBeNull();
  });

  test('refuses a graph without a start node and a plan over 128 KiB', () => {
    expect(() => compilePlan({})).toThrow(GraphError);
    const nodes = (count: number) =>
      complete(
        Array.from({ length: count }, () =>
          node('agentNode', { id: crypto.randomUUID(), data: { name: 'x'.repeat(100) } }),
        ),
      );
    expect(() => compilePlan(nodes(1000))).toThrow(GraphError);
    expect(JSON.stringify(compilePlan(nodes(500))).length).toBeLessThan(maxPlanBytes);
  });
});

describe('function names (contract 2.4)', () => {
  test.each([
    ['Go on', 'go_on'],
    ['go-on', 'go_on'],
    ['Price > 5€!', 'price___5__'],
    ['Да', '__'],
    ['😀a', '_a'],
    ['ABC09', 'abc09'],
  ])('%s is called by %s', (label, name) => {
    expect(functionNameOf(label)).toBe(name);
  });

  test('are at most 64 characters, unique, and otherwise unchanged', () => {
    const long = 'a'.repeat(70);
    const offered = offerableNames(['b', 'b', long, `${long}b`, 'a'.repeat(64)]);
    expect(offered[0]).toBe('b');
    expect(offered[4]).toBe('a'.repeat(64));
    expect(new Set(offered).size).toBe(5);
    expect(offered.every((name) => /^[a-zA-Z0-9_-]{1,64}$/.test(name))).toBe(true);
  });
});

describe('a stored node as the service uses it (contract 2.3, column Model)', () => {
  test('absent keys get their defaults', () => {
    expect(nodeOf(complete(), 'startCall')).toEqual({
      id: 'startCall',
      kind: 'startCall',
      name: 'startCall',
      prompt: 'Speak.',
      addGlobalPrompt: true,
      allowInterrupt: false,
      greeting: null,
      delayedStartMs: 0,
      extractionPrompt: '',
      extractionVariables: [],
      toolUuids: [],
      documentUuids: [],
      preCallFetch: { mode: 'disabled', url: null, credentialUuid: null },
    });
  });

  test.each([
    [{ greeting: 'Hi' }, { kind: 'text', text: 'Hi' }],
    [
      { greeting: 'Hi', greeting_type: 'text' },
      { kind: 'text', text: 'Hi' },
    ],
    [{ greeting: '' }, null],
    [
      { greeting: 'Hi', greeting_type: 'audio', greeting_recording_id: 'r' },
      { kind: 'audio', recordingId: 'r' },
    ],
    [{ greeting_type: 'audio' }, null],
  ])('the opening of %j', (data, greeting) => {
    expect(nodeOf({ nodes: [node('startCall', { data })] }, 'startCall')?.greeting).toEqual(greeting);
  });

  test('booleans and numbers that clients write as text are read', () => {
    const data = {
      delayed_start: 'true',
      delayed_start_duration: '1.5',
      add_global_prompt: 'no',
      allow_interrupt: 1,
    };
    expect(nodeOf({ nodes: [node('startCall', { data })] }, 'startCall')).toMatchObject({
      delayedStartMs: 1500,
      addGlobalPrompt: false,
      allowInterrupt: true,
    });
  });

  test('only nodes of the conversation are found, by their own id', () => {
    expect(nodeOf(complete([node('webhook')]), 'webhook')).toBeNull();
    expect(nodeOf(complete(), '__proto__')).toBeNull();
    expect(nodeOf(complete([node('agentNode', { id: '__proto__' })]), '__proto__')?.name).toBe('__proto__');
  });

  test('the global prompt', () => {
    expect(globalPrompt(complete([node('globalNode', { data: { prompt: 'Be kind.' } })]))).toBe('Be kind.');
    expect(globalPrompt(complete([node('globalNode', { data: { prompt: ' ' } })]))).toBeNull();
    expect(globalPrompt(complete())).toBeNull();
  });

  test('edges are tools with the condition as description; an end node has none', () => {
    expect(edgeTools(complete(), 'agentNode')).toEqual([
      { edgeId: 'agentNode-endCall', name: 'to_endcall', description: 'always' },
    ]);
    expect(edgeTools(complete([], [edge('endCall', 'agentNode')]), 'endCall')).toEqual([]);
  });

  test.each([
    [{ transition_speech: 'One moment' }, 'One moment'],
    [{ transition_speech: 'One moment', transition_speech_type: 'text' }, 'One moment'],
    [{ transition_speech: 'One moment', transition_speech_type: 'audio' }, null],
    [{ transition_speech: ' ' }, null],
    [{}, null],
  ])('transition speech of %j is %j', (data, speech) => {
    expect(
      edgeOf(
        { nodes: [node('startCall'), node('endCall')], edges: [edge('startCall', 'endCall', data)] },
        'startCall-endCall',
      )?.transitionSpeech,
    ).toBe(speech);
  });

  test('webhook nodes in graph order, with defaults', () => {
    const definition = complete([
      node('webhook', { id: 'w1' }),
      node('webhook', {
        id: 'w2',
        data: {
          enabled: false,
          http_method: 'PUT',
          endpoint_url: ' https://x.test ',
          custom_headers: [{ key: 'a', value: 'b' }],
          payload_template: { a: 1 },
          credential_uuid: 'c',
        },
      }),
    ]);
    expect(webhookNodes(definition)).toEqual([
      {
        id: 'w1',
        name: 'w1',
        enabled: true,
        method: 'POST',
        url: null,
        credentialUuid: null,
        customHeaders: [],
        payloadTemplate: null,
      },
      {
        id: 'w2',
        name: 'w2',
        enabled: false,
        method: 'PUT',
        url: 'https://x.test',
        credentialUuid: 'c',
        customHeaders: [{ key: 'a', value: 'b' }],
        payloadTemplate: { a: 1 },
      },
    ]);
  });
});
