import { describe, expect, test } from '@jest/globals';
import { NodeTypes, type PropertySpec } from '../../../src/contract/node-types.ts';
import { findNodeType, nodeTypes } from '../../../src/domain/graph/catalog/node-specs.ts';
import { cleanDefinition } from '../../../src/domain/graph/clean.ts';
import { kinds } from '../../../src/domain/graph/collision-rules.ts';
import { nodesOf } from '../../../src/domain/graph/definition.ts';
import { fieldFaults, type Field } from '../../../src/domain/graph/fields.ts';
import { kindSpec } from '../../../src/domain/graph/node-kinds.ts';
import { judgingNodes } from '../../../src/domain/qa/node.ts';

const specs = nodeTypes().node_types;
const properties = specs.flatMap(({ name: kind, properties: own }) =>
  own.map((property) => [`${kind}.${property.name}`, property] as const),
);
const names = (kind: string) => findNodeType(kind)?.properties.map(({ name }) => name);
const initial = (own: readonly PropertySpec[]) =>
  Object.fromEntries(own.filter((each) => each.default !== null).map((each) => [each.name, each.default]));
const property = (path: string): PropertySpec | undefined => properties.find(([each]) => each === path)?.[1];

describe('the catalog agrees with the rules of graphs (contract 14.2)', () => {
  test('contains every kind of node, sorted by name', () => {
    expect(specs.map(({ name }) => name)).toEqual(kinds().toSorted());
    expect(findNodeType('zzz')).toBeNull();
    expect(findNodeType('constructor')).toBeNull();
  });

  test('has only keys that published clients know, because they refuse unknown ones', () => {
    expect(Object.keys(nodeTypes())).toEqual(['spec_version', 'node_types']);
    for (const spec of specs) {
      expect(Object.keys(spec).toSorted()).toEqual([
        'category',
        'description',
        'display_name',
        'examples',
        'graph_constraints',
        'icon',
        'llm_hint',
        'name',
        'properties',
        'version',
      ]);
      expect(Object.keys(spec.graph_constraints ?? {}).toSorted()).toEqual([
        'max_incoming',
        'max_outgoing',
        'min_incoming',
        'min_outgoing',
      ]);
      for (const example of spec.examples)
        expect(Object.keys(example).toSorted()).toEqual(['data', 'description', 'name']);
    }
    const keys = [
      'default',
      'description',
      'display_name',
      'display_options',
      'editor',
      'llm_hint',
      'max_length',
      'max_value',
      'min_length',
      'min_value',
      'name',
      'options',
      'pattern',
      'placeholder',
      'properties',
      'required',
      'type',
    ];
    for (const [, each] of properties)
      for (const one of [each, ...(each.properties ?? [])]) expect(Object.keys(one).toSorted()).toEqual(keys);
    expect(NodeTypes.parse(nodeTypes())).toEqual(nodeTypes());
  });

  test.each(kinds())(
    '%s lists every field of a graph except the hidden flags, with its values and limits',
    (kind) => {
      const { fields, incoming, outgoing } = kindSpec(kind);
      const listed = Object.entries(fields).filter(([, field]) => field.unlisted !== true);
      expect(names(kind)?.toSorted()).toEqual(listed.map(([name]) => name).toSorted());
      for (const [name, field] of listed)
        expect(limitsOf(property(`${kind}.${name}`))).toMatchObject(limitsOfField(field));
      expect(findNodeType(kind)?.graph_constraints).toEqual({
        min_incoming: incoming.min,
        max_incoming: incoming.max,
        min_outgoing: outgoing.min,
        max_outgoing: outgoing.max,
      });
    },
  );

  test.each(kinds())('the defaults that builders fill in for %s are valid and stored unchanged', (kind) => {
    const spec = findNodeType(kind);
    const data = [{}, ...(spec?.examples ?? []).map((example) => example.data)].map((own) => ({
      ...initial(spec?.properties ?? []),
      ...own,
    }));
    for (const each of data) {
      expect(fieldFaults(each, kindSpec(kind).fields)).toEqual([]);
      expect(nodesOf(cleanDefinition({ nodes: [{ id: 'x', type: kind, data: each }] }))[0]?.['data']).toEqual(
        each,
      );
    }
  });

  test('conditions of display refer to fields of the same node and to values that they allow', () => {
    for (const [path, { display_options: shown }] of properties) {
      for (const [name, values] of Object.entries(shown?.show ?? {})) {
        const other = property(`${path.split('.')[0]}.${name}`);
        expect(other?.name).toBe(name);
        for (const value of values)
          expect(
            other?.type === 'boolean' ? [true, false] : other?.options?.map((option) => option.value),
          ).toContain(value);
      }
    }
  });
});

const limitsOf = (spec: PropertySpec | undefined) => ({
  required: spec?.required,
  options: spec?.options?.map(({ value }) => value) ?? null,
  properties: spec?.properties?.map(({ name }) => name) ?? null,
  min: spec?.min_value,
  max: spec?.max_value,
});
const limitsOfField = ({ required, options, item, min, max }: Field) => ({
  ...(required === undefined ? {} : { required }),
  options: options ?? null,
  properties: item === undefined ? null : Object.keys(item),
  ...(min === undefined ? {} : { min }),
  ...(max === undefined ? {} : { max }),
});

describe('the catalog matches the contract (2.3, 14.2)', () => {
  test.each<[path: string, expected: Partial<PropertySpec>]>([
    ['startCall.name', { default: 'Start Call', required: true, min_length: 1 }],
    ['agentNode.name', { default: 'Agent' }],
    ['endCall.name', { default: 'End Call' }],
    ['globalNode.name', { default: 'Global Node' }],
    ['trigger.name', { default: 'API Trigger' }],
    ['webhook.name', { default: 'Webhook' }],
    ['qa.name', { default: 'QA Analysis' }],
    ['tuner.name', { default: 'Tuner' }],
    ['paygent.name', { default: 'Paygent' }],
    ['noveum.name', { default: 'Noveum' }],
    ['startCall.prompt', { type: 'mention_textarea', required: true, default: null }],
    ['globalNode.prompt', { type: 'mention_textarea', required: true, default: expect.any(String) }],
    ['startCall.allow_interrupt', { type: 'boolean', default: false }],
    ['agentNode.allow_interrupt', { default: true }],
    ['startCall.add_global_prompt', { default: true }],
    ['agentNode.add_global_prompt', { default: true }],
    ['endCall.add_global_prompt', { default: false }],
    ['startCall.greeting_type', { type: 'options', default: 'text' }],
    [
      'startCall.greeting',
      {
        type: 'string',
        editor: 'textarea',
        default: null,
        display_options: { show: { greeting_type: ['text'] }, hide: null },
      },
    ],
    [
      'startCall.greeting_recording_id',
      { type: 'recording_ref', display_options: { show: { greeting_type: ['audio'] }, hide: null } },
    ],
    ['startCall.delayed_start', { default: false }],
    [
      'startCall.delayed_start_duration',
      {
        type: 'number',
        default: 2,
        min_value: 0.1,
        max_value: 10,
        display_options: { show: { delayed_start: [true] }, hide: null },
      },
    ],
    ['agentNode.extraction_enabled', { default: false }],
    [
      'agentNode.extraction_prompt',
      {
        type: 'string',
        editor: 'textarea',
        default: null,
        display_options: { show: { extraction_enabled: [true] }, hide: null },
      },
    ],
    ['agentNode.extraction_variables', { type: 'fixed_collection', default: null }],
    ['agentNode.tool_uuids', { type: 'tool_refs', default: null }],
    ['agentNode.document_uuids', { type: 'document_refs', default: null }],
    ['startCall.pre_call_fetch_mode', { type: 'options', default: 'disabled' }],
    [
      'startCall.pre_call_fetch_url',
      {
        type: 'url',
        display_options: { show: { pre_call_fetch_mode: ['always', 'inbound', 'outbound'] }, hide: null },
      },
    ],
    ['startCall.pre_call_fetch_credential_uuid', { type: 'credential_ref' }],
    ['trigger.enabled', { default: true }],
    ['trigger.trigger_path', { type: 'string', default: null, max_length: 36 }],
    ['webhook.enabled', { default: true }],
    ['webhook.http_method', { type: 'options', default: 'POST' }],
    ['webhook.endpoint_url', { type: 'url', default: null }],
    ['webhook.credential_uuid', { type: 'credential_ref', default: null }],
    ['webhook.custom_headers', { type: 'fixed_collection', default: null }],
    ['webhook.payload_template', { type: 'json' }],
    ['qa.qa_enabled', { default: true }],
    ['qa.qa_system_prompt', { type: 'string', editor: 'textarea', default: expect.any(String) }],
    ['qa.qa_min_call_duration', { type: 'number', default: 15 }],
    ['qa.qa_voicemail_calls', { default: false }],
    ['qa.qa_sample_rate', { default: 100, min_value: 1, max_value: 100 }],
    ['qa.qa_use_workflow_llm', { default: true }],
    [
      'qa.qa_provider',
      {
        type: 'options',
        default: null,
        display_options: { show: { qa_use_workflow_llm: [false] }, hide: null },
      },
    ],
    ['qa.qa_model', { default: 'default' }],
    [
      'qa.qa_endpoint',
      {
        type: 'url',
        display_options: { show: { qa_use_workflow_llm: [false], qa_provider: ['azure'] }, hide: null },
      },
    ],
    ['tuner.tuner_enabled', { default: true }],
    ['tuner.tuner_agent_id', { required: true }],
    ['tuner.tuner_workspace_id', { type: 'number', required: true, min_value: 1 }],
    ['tuner.tuner_api_key', { required: true }],
    [
      'tuner.cost_llm_input_rate',
      {
        min_value: 0,
        max_value: 1000,
        display_options: { show: { cost_calculation_enabled: [true] }, hide: null },
      },
    ],
    ['tuner.cost_tts_rate', { min_value: 0, max_value: 100 }],
    ['paygent.paygent_enabled', { default: true }],
    ['paygent.paygent_api_key', { required: true }],
    ['paygent.paygent_indicator', { required: false, default: 'per-minute-call' }],
    ['noveum.noveum_enabled', { default: true }],
    ['noveum.noveum_environment', { default: 'production' }],
    ['noveum.noveum_record_audio', { default: true }],
  ])('%s', (path, expected) => {
    expect(property(path)).toMatchObject(expected);
  });

  test('variables require name and type, headers require name and value', () => {
    const rows = (path: string) => property(path)?.properties?.map(({ name, required }) => [name, required]);
    expect(rows('endCall.extraction_variables')).toEqual([
      ['name', true],
      ['type', true],
      ['prompt', false],
    ]);
    expect(rows('webhook.custom_headers')).toEqual([
      ['key', true],
      ['value', true],
    ]);
    expect(property('endCall.extraction_variables')?.properties?.[1]?.default).toBe('string');
  });

  test('a new webhook has eight values, each with one placeholder', () => {
    const payload: unknown = property('webhook.payload_template')?.default;
    expect(Object.keys(Object(payload))).toEqual([
      'call_id',
      'first_name',
      'rsvp',
      'duration',
      'recording_url',
      'user_recording_url',
      'bot_recording_url',
      'transcript_url',
    ]);
    for (const value of Object.values(Object(payload))) expect(value).toMatch(/^\{\{[^{}]+\}\}$/);
  });

  test('icons, labels and categories', () => {
    expect(Object.fromEntries(specs.map(({ name, icon, category }) => [name, [icon, category]]))).toEqual({
      agentNode: ['Headset', 'call_node'],
      endCall: ['OctagonX', 'call_node'],
      globalNode: ['Globe', 'global_node'],
      startCall: ['Play', 'call_node'],
      trigger: ['Webhook', 'trigger'],
      webhook: ['Link2', 'integration'],
      qa: ['ClipboardCheck', 'integration'],
      tuner: ['Activity', 'integration'],
      noveum: ['Activity', 'integration'],
      paygent: ['CreditCard', 'integration'],
    });
    expect(specs.every(({ version }) => version === '1.0.0')).toBe(true);
  });
});

test('older clients may send pre_call_fetch_enabled, which builders do not fill in and the service does not store', () => {
  expect(property('startCall.pre_call_fetch_enabled')).toMatchObject({
    type: 'boolean',
    default: null,
    required: false,
  });
  const cleaned = cleanDefinition({
    nodes: [{ id: 's', type: 'startCall', data: { pre_call_fetch_enabled: true } }],
  });
  expect(nodesOf(cleaned)[0]?.['data']).toEqual({ pre_call_fetch_mode: 'always' });
});

test("a QA node with the catalog's instructions uses ours, one with other instructions uses the customer's", () => {
  const judged = (qa_system_prompt: unknown) =>
    judgingNodes({ nodes: [{ id: 'q', type: 'qa', data: { qa_system_prompt } }] })[0]?.systemPrompt;
  expect(judged(property('qa.qa_system_prompt')?.default)).toBeNull();
  expect(judged('Be strict.')).toBe('Be strict.');
});
