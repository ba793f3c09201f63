import { GraphError } from '../../../src/domain/graph/faults.ts';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { checkOnSave, type SaveSurroundings } from '../../../src/domain/graph/check-on-save.ts';
import { cleanDefinition } from '../../../src/domain/graph/clean.ts';
import { type Definition, type JsonObject, nodesOf } from '../../../src/domain/graph/definition.ts';
import { maskSecrets, restoreMaskedSecrets } from '../../../src/domain/graph/secrets.ts';
import { mintTriggerPaths, triggerPathsOf } from '../../../src/domain/graph/trigger-paths.ts';
import { complete, edge, node, withData } from './samples.ts';

const quiet: Omit<SaveSurroundings, 'on'> = { takenPaths: new Set(), toolNames: new Map() };
const dataOf = (definition: Definition, id: string) =>
  nodesOf(definition).find((each) => each['id'] === id)?.['data'];

describe('rules on save (contract 2.5)', () => {
  const twoStarts = complete([node('startCall', { id: 's2' })]);
  const twins = complete([], [edge('agentNode', 'agentNode', { label: 'to endcall' })]);
  const tool = withData('agentNode', { name: 'A', prompt: 'p', tool_uuids: ['t'] });
  const path = (trigger_path: unknown) => complete([node('trigger', { data: { trigger_path } })]);
  const header = complete([
    node('webhook', { data: { custom_headers: [{ key: 'Webhook-Id', value: 'x' }] } }),
  ]);
  const large = complete(
    Array.from({ length: 1500 }, (_, index) => node('agentNode', { id: `${index}`.padStart(36, '0') })),
  );

  test.each<[row: string, definition: Definition, create: number | null, update: number | null]>([
    ['a complete graph', complete(), null, null],
    ['an empty graph', {}, null, null],
    ['an incomplete draft', { nodes: [node('agentNode', { data: { prompt: '' } })], edges: [] }, null, null],
    ['too many of a type', twoStarts, 422, 409],
    ['duplicate transition name', twins, 422, 409],
    ['transition name equals a tool function name', tool, 422, 409],
    ['trigger path is not text', path(5), 422, 422],
    ['trigger path too long', path('a'.repeat(37)), 422, 422],
    ['trigger path with invalid characters', path('ä'), 422, 422],
    [
      'trigger path repeated',
      complete([
        node('trigger', { data: { trigger_path: 'a' } }),
        node('trigger', { id: 't2', data: { trigger_path: 'a' } }),
      ]),
      422,
      422,
    ],
    ['trigger path owned by another agent', path('taken'), 409, 409],
    ['trigger path absent', path(undefined), null, null],
    ["header that is the service's", header, 422, 422],
    ['a graph whose plan is over 128 KiB', large, 422, 422],
  ])('%s', (_row, definition, create, update) => {
    const surroundings = { takenPaths: new Set(['taken']), toolNames: new Map([['t', 'to_endcall']]) };
    expect(checkOnSave(definition, { ...surroundings, on: 'create' })?.status ?? null).toBe(create);
    expect(checkOnSave(definition, { ...surroundings, on: 'update' })?.status ?? null).toBe(update);
  });

  test('the error contains the body of the answer', () => {
    expect(checkOnSave(twins, { ...quiet, on: 'update' })?.detail).toEqual({
      is_valid: false,
      errors: [
        {
          kind: 'edge',
          id: 'agentNode-endCall',
          field: 'data.label',
          message: expect.stringMatching(/^to endCall: /),
        },
        {
          kind: 'edge',
          id: 'agentNode-agentNode',
          field: 'data.label',
          message: expect.stringMatching(/^to endcall: /),
        },
      ],
    });
  });

  test('a graph of 500 nodes may be stored', () => {
    const nodes = Array.from({ length: 500 }, (_, index) =>
      node('agentNode', {
        id: crypto.randomUUID(),
        data: { name: `Step ${index}`, prompt: 'p'.repeat(2000) },
      }),
    );
    expect(checkOnSave(complete(nodes), { ...quiet, on: 'create' })).toBeNull();
  });

  test('the work is linear in the size of the graph', () => {
    const nodes = [
      ...Array.from({ length: 20_000 }, (_, index) =>
        node('agentNode', { id: String(index), data: { tool_uuids: ['t'] } }),
      ),
      node('startCall'),
    ];
    const edges = Array.from({ length: 40_000 }, (_, index) =>
      edge('startCall', String(index % 20_000), { label: 'x'.repeat(100) }),
    );
    // Quadratic work would exceed the test's timeout.
    expect(
      checkOnSave({ nodes, edges }, { ...quiet, toolNames: new Map([['t', 'x']]), on: 'create' }),
    ).toBeInstanceOf(GraphError);
  });
});

describe('cleaning (contract 2.6)', () => {
  test('drops keys that the type does not define, and keeps everything outside data', () => {
    const definition = {
      note: 1,
      nodes: [
        {
          ...node('agentNode', { data: { stray: 1, greeting: 'not here', allow_interrupt: true } }),
          measured: { width: 3 },
          extra: 'x',
        },
      ],
      edges: [{ ...edge('a', 'b', { stray: 1, transition_speech: 'One moment' }), animated: true }],
      viewport: { zoom: 2 },
    };
    expect(cleanDefinition(definition)).toEqual({
      note: 1,
      nodes: [
        { ...node('agentNode', { data: { allow_interrupt: true } }), measured: { width: 3 }, extra: 'x' },
      ],
      edges: [{ ...edge('a', 'b', { transition_speech: 'One moment' }), animated: true }],
      viewport: { zoom: 2 },
    });
  });

  test.each<[type: string, kept: string[]]>([
    [
      'startCall',
      [
        'name',
        'prompt',
        'is_start',
        'is_end',
        'greeting',
        'greeting_type',
        'greeting_recording_id',
        'allow_interrupt',
        'add_global_prompt',
        'delayed_start',
        'delayed_start_duration',
        'extraction_enabled',
        'extraction_prompt',
        'extraction_variables',
        'tool_uuids',
        'document_uuids',
        'mcp_tool_filters',
        'pre_call_fetch_mode',
        'pre_call_fetch_url',
        'pre_call_fetch_credential_uuid',
      ],
    ],
    [
      'agentNode',
      [
        'name',
        'prompt',
        'is_start',
        'is_end',
        'allow_interrupt',
        'add_global_prompt',
        'extraction_enabled',
        'extraction_prompt',
        'extraction_variables',
        'tool_uuids',
        'document_uuids',
        'mcp_tool_filters',
      ],
    ],
    [
      'endCall',
      [
        'name',
        'prompt',
        'is_start',
        'is_end',
        'add_global_prompt',
        'extraction_enabled',
        'extraction_prompt',
        'extraction_variables',
      ],
    ],
    ['globalNode', ['name', 'prompt']],
    ['trigger', ['name', 'enabled', 'trigger_path']],
    [
      'webhook',
      [
        'name',
        'enabled',
        'http_method',
        'endpoint_url',
        'credential_uuid',
        'custom_headers',
        'payload_template',
      ],
    ],
    [
      'qa',
      [
        'name',
        'qa_enabled',
        'qa_system_prompt',
        'qa_min_call_duration',
        'qa_voicemail_calls',
        'qa_sample_rate',
        'qa_use_workflow_llm',
        'qa_provider',
        'qa_model',
        'qa_api_key',
        'qa_endpoint',
      ],
    ],
    [
      'tuner',
      [
        'name',
        'tuner_enabled',
        'tuner_agent_id',
        'tuner_workspace_id',
        'tuner_api_key',
        'cost_calculation_enabled',
        'cost_llm_input_rate',
        'cost_llm_cached_input_rate',
        'cost_llm_output_rate',
        'cost_tts_rate',
        'cost_stt_rate',
        'cost_telephony_rate',
      ],
    ],
    [
      'paygent',
      [
        'name',
        'paygent_enabled',
        'paygent_api_key',
        'paygent_agent_id',
        'paygent_customer_id',
        'paygent_indicator',
      ],
    ],
    [
      'noveum',
      [
        'name',
        'noveum_enabled',
        'noveum_api_key',
        'noveum_project',
        'noveum_environment',
        'noveum_record_audio',
      ],
    ],
  ])('%s keeps only its own keys, as sent', (type, kept) => {
    const all = Object.fromEntries(
      [...kept, 'pre_call_fetch_enabled', 'robot', '__proto__', 'constructor'].map((key) => [key, null]),
    );
    const cleaned = cleanDefinition({ nodes: [{ ...node(type), data: all }], edges: [] });
    expect(Object.keys(Object(dataOf(cleaned, type)))).toEqual(kept);
  });

  test('adds nothing', () => {
    expect(cleanDefinition(complete())).toEqual(complete());
    expect(cleanDefinition({})).toEqual({});
  });

  test('also cleans items of extraction variables and headers', () => {
    const data = { extraction_variables: [{ name: 'a', stray: 1 }, 'odd'] };
    expect(dataOf(cleanDefinition({ nodes: [{ id: 'a', type: 'agentNode', data }] }), 'a')).toEqual({
      extraction_variables: [{ name: 'a' }, 'odd'],
    });
  });

  test('never changes the content of a payload', () => {
    const payload_template: JsonObject = JSON.parse('{"__proto__":"{{x}}","any":[1]}');
    const cleaned = cleanDefinition({ nodes: [node('webhook', { data: { payload_template } })] });
    expect(JSON.stringify(dataOf(cleaned, 'webhook'))).toContain('{"__proto__":"{{x}}","any":[1]}');
  });

  test.each<[row: string, data: JsonObject, expected: JsonObject]>([
    ['true without a mode means always', { pre_call_fetch_enabled: true }, { pre_call_fetch_mode: 'always' }],
    [
      'true with a mode: the mode stays',
      { pre_call_fetch_enabled: true, pre_call_fetch_mode: 'inbound' },
      { pre_call_fetch_mode: 'inbound' },
    ],
    ['false is dropped', { pre_call_fetch_enabled: false }, {}],
  ])('pre_call_fetch_enabled: %s', (_row, data, expected) => {
    expect(dataOf(cleanDefinition({ nodes: [{ id: 's', type: 'startCall', data }] }), 's')).toEqual(expected);
  });

  test('keeps nodes of unknown types and data that is not an object, for validation to report', () => {
    const odd = {
      nodes: [node('robot', { data: { a: 1 } }), { id: 'x', type: 'agentNode', data: 5 }, 'text'],
      edges: [{ id: 'e' }],
    };
    expect(cleanDefinition(odd)).toEqual(odd);
  });

  test('is idempotent', () => {
    const data = fc.dictionary(
      fc.oneof(
        fc.constantFrom(
          'name',
          'prompt',
          'greeting',
          'pre_call_fetch_enabled',
          'pre_call_fetch_mode',
          'extraction_variables',
          'custom_headers',
          '__proto__',
        ),
        fc.string(),
      ),
      fc.jsonValue(),
    );
    const type = fc.constantFrom('startCall', 'agentNode', 'webhook', 'qa', 'constructor', '__proto__');
    fc.assert(
      fc.property(fc.array(fc.record({ type, data })), fc.array(fc.record({ data })), (nodes, edges) => {
        const once = cleanDefinition({ nodes, edges });
        expect(JSON.stringify(cleanDefinition(once))).toBe(JSON.stringify(once));
      }),
    );
  });
});

describe('trigger paths (contract 2.3)', () => {
  let count = 0;
  const mint = () => `minted-${(count += 1)}`;

  test.each([undefined, null, ''])('a path of %j is replaced by a new one', (trigger_path) => {
    const [trigger] = triggerPathsOf(
      mintTriggerPaths(complete([node('trigger', { data: { trigger_path } })]), mint),
    );
    expect(trigger?.path).toMatch(/^minted-/);
  });

  test('an existing path stays, and other nodes get none', () => {
    const definition = complete([node('trigger', { data: { trigger_path: 'mine' } })]);
    expect(mintTriggerPaths(definition, mint)).toEqual(definition);
  });

  test('a trigger is enabled by default', () => {
    const [on, off] = triggerPathsOf({
      nodes: [
        node('trigger', { data: { trigger_path: 'a' } }),
        node('trigger', { data: { enabled: false } }),
      ],
    });
    expect([on, off]).toEqual([
      { nodeId: 'trigger', path: 'a', enabled: true },
      { nodeId: 'trigger', path: null, enabled: false },
    ]);
  });
});

describe('secrets in a graph (contract 1.1, 9.2)', () => {
  const stored = complete([
    node('qa', { data: { qa_api_key: 'sk-secret-1234' } }),
    node('tuner', { data: { tuner_api_key: 'tuner-5678' } }),
    node('webhook', {
      data: {
        custom_headers: [
          { key: 'X-Token', value: 'first-1111' },
          { key: 'X-Token', value: 'second-2222' },
          { key: 'X-Region', value: 'eu' },
        ],
      },
    }),
  ]);
  const shown = maskSecrets(stored);

  test('are masked in answers except for the last four characters', () => {
    expect(dataOf(shown, 'qa')).toMatchObject({ qa_api_key: '**********1234' });
    expect(dataOf(shown, 'tuner')).toMatchObject({ tuner_api_key: '******5678' });
    expect(dataOf(shown, 'webhook')).toMatchObject({
      custom_headers: [{ value: '******1111' }, { value: '*******2222' }, { value: 'eu' }],
    });
    expect(JSON.stringify(shown)).not.toContain('secret');
  });

  test('stay when their mask comes back unchanged', () => {
    expect(restoreMaskedSecrets(stored, shown)).toEqual(stored);
  });

  test('are replaced by a new secret, and by the mask of another secret', () => {
    const next = (qa_api_key: string) =>
      dataOf(restoreMaskedSecrets(stored, complete([node('qa', { data: { qa_api_key } })])), 'qa');
    expect(next('sk-new')).toMatchObject({ qa_api_key: 'sk-new' });
    expect(next('**********9999')).toMatchObject({ qa_api_key: '**********9999' });
  });

  test('are not restored from a mask in another node', () => {
    const next = restoreMaskedSecrets(
      stored,
      complete([node('qa', { id: 'other', data: { qa_api_key: '**********1234' } })]),
    );
    expect(dataOf(next, 'other')).toMatchObject({ qa_api_key: '**********1234' });
  });

  test('are kept in a node called __proto__', () => {
    const odd = { nodes: [node('qa', { id: '__proto__', data: { qa_api_key: 'sk-secret-1234' } })] };
    expect(restoreMaskedSecrets(odd, maskSecrets(odd))).toEqual(odd);
  });
});
