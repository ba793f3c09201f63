import { readFileSync } from 'node:fs';
import { i18n } from '@lingui/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { describe, expect, test } from '@jest/globals';
import fastJsonPatch, { unescapePathComponent } from 'fast-json-patch';
import { z } from 'zod';
import {
  type Change,
  compareVersions,
  type Content,
  keyed,
} from '../../../console/src/screens/versions/compare.ts';
import { columnsOf } from '../../../console/src/screens/versions/columns.ts';
import { nodeSize, pictureOf } from '../../../console/src/screens/versions/picture.ts';
import type { SettingChange } from '../../../console/src/graph/settings.ts';
import { sentencesOf } from '../../../console/src/screens/versions/sentences.ts';
import { edgesOf, type JsonObject, nodesOf } from '../../../src/domain/graph/definition.ts';

/** Numbers between 0 and 1 that are the same in every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

interface Node extends JsonObject {
  id: string;
  type: string;
  position: { x: number; y: number };
  data: Record<string, unknown>;
}
interface Edge extends JsonObject {
  id: string;
  source: string;
  target: string;
  data: Record<string, unknown>;
}
interface Made extends Content {
  definition: { nodes: Node[]; edges: Edge[]; viewport: { zoom: number } };
  settings: Record<string, unknown>;
  testValues: Record<string, unknown>;
}

function anyVersion(next: () => number): Made {
  const size = 3 + Math.floor(next() * 6);
  const nodes = Array.from({ length: size }, (_, index): Node => ({
    id: `n${index}`,
    type: index === 0 ? 'startCall' : index === size - 1 ? 'endCall' : 'agentNode',
    position: { x: 0, y: index * 100 },
    data: { name: `Step ${index}`, prompt: `Ask question ${index}`, allow_interrupt: index % 2 === 0 },
  }));
  const edges = nodes.slice(1).map(({ id }, index): Edge => ({
    id: `e${index}`,
    source: `n${index}`,
    target: id,
    data: { label: `Next ${index}`, condition: 'It is answered' },
  }));
  return {
    definition: { nodes, edges, viewport: { zoom: 1 } },
    settings: { max_call_duration: 300, ambient: { enabled: false } },
    testValues: { first_name: 'Ana' },
  };
}

/** A later version: some things edited, moved, removed and added. */
function edited(version: Made, next: () => number): Made {
  const copy = structuredClone(version);
  const { nodes, edges } = copy.definition;
  const oneOf = <T>(list: readonly T[]): T => {
    const one = list[Math.floor(next() * list.length)];
    if (one === undefined) throw new Error('There is nothing to choose from');
    return one;
  };
  const edits = [
    () => (oneOf(nodes).data['prompt'] = `Ask differently ${next()}`),
    () => (oneOf(nodes).position.x = Math.floor(next() * 1000)),
    () => (oneOf(nodes).data['extraction_variables'] = [{ name: 'size', type: 'number' }]),
    () => delete oneOf(nodes).data['allow_interrupt'],
    () => (oneOf(edges).data['condition'] = `When ${next()}`),
    () => (oneOf(edges).target = oneOf(nodes).id),
    () => nodes.push({ ...structuredClone(oneOf(nodes)), id: `new${nodes.length}${next()}` }),
    () => edges.push({ ...structuredClone(oneOf(edges)), id: `edge${edges.length}${next()}` }),
    () => nodes.length > 2 && nodes.splice(Math.floor(next() * nodes.length), 1),
    () => edges.length > 2 && edges.splice(Math.floor(next() * edges.length), 1),
    () => (copy.settings['max_call_duration'] = Math.floor(next() * 1000)),
    () => delete copy.settings['ambient'],
    () => (copy.testValues['last_name'] = `Ruiz ${next()}`),
    () => (copy.definition.viewport.zoom = next()),
  ];
  for (let count = 0; count < 6; count += 1) oneOf(edits)();
  return copy;
}

/** Paths that the oracle patches, as `node/n1/prompt`; what only moves has no field. */
function namedByOracle(before: Content, after: Content): string[] {
  const shape = ({ definition, settings, testValues }: Content) => ({
    node: Object.fromEntries(keyed(nodesOf(definition))),
    edge: Object.fromEntries(keyed(edgesOf(definition))),
    setting: settings,
    value: testValues,
  });
  const [old, now] = [shape(before), shape(after)];
  const patch = fastJsonPatch.compare(old, now);
  expect(fastJsonPatch.applyPatch(structuredClone(old), patch).newDocument).toEqual(now);
  const named = patch.map(({ path }) => {
    const [of = '', id = '', outer, field] = path
      .slice(1)
      .split('/')
      .map((part) => unescapePathComponent(part));
    if (of === 'setting' || of === 'value' || outer === undefined) return `${of}/${id}`;
    const noticed = outer === 'data' ? field : ['type', 'source', 'target'].includes(outer) ? outer : '';
    return `${of}/${id}/${noticed ?? ''}`;
  });
  const changed = new Set(named.filter((each) => each.split('/')[2]));
  const isMoveOfChanged = (path: string) =>
    path.endsWith('/') && [...changed].some((each) => each.startsWith(path));
  return [...new Set(named)].filter((path) => !isMoveOfChanged(path)).toSorted();
}

const named = (changes: readonly Change[]): string[] =>
  changes
    .flatMap(({ kind, of, id, fields }) => {
      if (kind === 'moved') return [`${of}/${id}/`];
      const isWhole = of === 'setting' || of === 'value' || kind !== 'changed';
      return isWhole ? [`${of}/${id}`] : fields.map(({ field }) => `${of}/${id}/${field}`);
    })
    .toSorted();

describe('comparing two versions', () => {
  test.each(Array.from({ length: 20 }, (_, seed) => seed + 1))(
    'names every changed node, edge, field, setting and test value, and nothing else: pair %i',
    (seed) => {
      const next = random(seed * 7919);
      const before = anyVersion(next);
      const after = edited(before, next);
      expect(named(compareVersions(before, after))).toEqual(namedByOracle(before, after));
      expect(named(compareVersions(after, before))).toEqual(namedByOracle(after, before));
      expect(compareVersions(after, structuredClone(after))).toEqual([]);
    },
  );

  test('keeps apart nodes that share an id, and ignores the order of keys', () => {
    const node = (name: string) => ({ id: 'a', type: 'agentNode', data: { name } });
    const of = (...nodes: JsonObject[]): Content => ({ definition: { nodes }, settings: {}, testValues: {} });
    const turned = { data: { name: 'One' }, type: 'agentNode', id: 'a' };
    expect(named(compareVersions(of(node('One'), node('Two')), of(turned, node('Three'))))).toEqual([
      'node/a (2)/name',
    ]);
  });
});

describe('the sentences of changes', () => {
  const words = z
    .record(z.string(), z.string())
    .parse(
      JSON.parse(
        readFileSync(new URL('../../../console/src/locales/en/versions.json', import.meta.url), 'utf8'),
      ),
    );
  i18n.load(
    'en',
    Object.fromEntries(Object.entries(words).map(([id, message]) => [id, compileMessage(message)])),
  );
  i18n.activate('en');
  const settingText = ({ key, before, after }: SettingChange) => [key, before, '→', after].join(' ');
  const said = (before: Content, after: Content): string[] =>
    compareVersions(before, after).flatMap((change) =>
      sentencesOf(change, settingText).map(({ id, values }) => i18n._(id, values)),
    );

  const graph = {
    nodes: [
      { id: 'bye', type: 'endCall', data: { name: 'Goodbye', prompt: 'Thank them' } },
      { id: 'start', type: 'startCall', data: { name: 'Welcome', greeting: 'Hello', prompt: 'Greet them' } },
    ],
    edges: [{ id: 'e', source: 'start', target: 'bye', data: { label: 'Done', condition: 'Done' } }],
  };
  const base: Content = {
    definition: graph,
    settings: { max_call_duration: 240, model_overrides: { tts: { voice: 'alloy', speed: 1 } } },
    testValues: { day: 'Monday' },
  };
  const withStart = (data: JsonObject): Content => ({
    ...base,
    definition: {
      ...graph,
      nodes: graph.nodes.map((node) =>
        node.id === 'start' ? { ...node, data: { ...node.data, ...data } } : node,
      ),
    },
  });
  const withEdge = (change: JsonObject): Content => ({
    ...base,
    definition: { ...graph, edges: [{ ...graph.edges[0], ...change }] },
  });

  test.each<[string, Content, string[]]>([
    ['a greeting', withStart({ greeting: 'Hi' }), ['<b>Welcome</b> has a different greeting']],
    ['a name', withStart({ name: 'Opening' }), ['<b>Opening</b> was called “Welcome”']],
    ['a switch', withStart({ allow_interrupt: true }), ['<b>Welcome</b> has allow interrupt on']],
    ['an unknown field', withStart({ my_field: 7 }), ['<b>Welcome</b> has a different my field']],
    [
      'extraction',
      withStart({ extraction_variables: [{ name: 'party_size' }] }),
      ['<b>Welcome</b> also extracts party_size'],
    ],
    ['a target', withEdge({ target: 'start' }), ['<b>Welcome</b>: “Done” now goes to Welcome']],
    [
      'a condition',
      withEdge({ data: { label: 'Done', condition: 'Other' } }),
      ['<b>Welcome</b>: “Done” has a different condition'],
    ],
    [
      'several things, in reading order',
      {
        definition: {
          nodes: [
            ...graph.nodes.map((node) =>
              node.id === 'bye' ? { ...node, data: { ...node.data, prompt: 'Wave' } } : node,
            ),
            { id: 'find', type: 'agentNode', data: { name: 'Find a time' } },
          ],
          edges: [{ id: 'f', source: 'start', target: 'find', data: { label: 'Needs a time' } }],
        },
        settings: { max_call_duration: 300, model_overrides: { tts: { voice: 'nova', speed: 1 } } },
        testValues: {},
      },
      [
        '<b>Welcome</b> now goes to Find a time by “Needs a time”',
        '<b>Welcome</b> no longer goes to Goodbye by “Done”',
        '<b>Find a time</b> is new',
        '<b>Goodbye</b> has a different prompt',
        '<b>Settings:</b> max_call_duration 240 → 300',
        '<b>Settings:</b> model_overrides.tts.voice alloy → nova',
        '<b>Test values:</b> day was removed',
      ],
    ],
  ])('say %s', (_title, after, expected) => {
    expect(said(base, after)).toEqual(expected);
  });

  test('stand as fields in two columns: what differs, and all of what was added or removed', () => {
    const after: Content = {
      ...withStart({ greeting: 'Hi' }),
      settings: { max_call_duration: 300, model_overrides: { tts: { voice: 'nova', speed: 1 } } },
    };
    const nodes = [
      ...nodesOf(after.definition).slice(1),
      { id: 'find', type: 'agentNode', data: { name: 'Find a time', tool_uuids: [], is_global: false } },
    ];
    const now = { ...after, definition: { nodes, edges: [] } };
    const changes = compareVersions(base, now);
    const settingName = (key: string) => `setting ${key}`;
    const shown = columnsOf(base, now, { changes, settingName }).map(({ change, cells }) => [
      change.name,
      ...cells.map(({ field, before: was, after: is }) => [field, was, is].join(' | ')),
    ]);
    expect(shown).toEqual([
      ['Welcome', 'greeting | Hello | Hi'],
      ['Done', 'label | Done | ', 'condition | Done | '],
      ['Goodbye', 'name | Goodbye | ', 'prompt | Thank them | '],
      ['Find a time', 'name |  | Find a time'],
      ['max_call_duration', 'setting max_call_duration | 240 | 300'],
      ['model_overrides', 'setting model_overrides.tts.voice | alloy | nova'],
    ]);
  });

  test('have words for every kind of change', () => {
    const next = random(17);
    let version = anyVersion(next);
    for (let round = 0; round < 30; round += 1) {
      const later = edited(version, next);
      for (const sentence of compareVersions(version, later).flatMap((change) =>
        sentencesOf(change, settingText),
      ))
        expect(words).toHaveProperty([sentence.id]);
      version = later.definition.nodes.length < 4 ? anyVersion(next) : later;
    }
  });
});

test('a transition past a card runs beside it, not behind it', () => {
  const node = (id: string, y: number) => ({
    id,
    type: 'agentNode',
    position: { x: 0, y },
    data: { name: id },
  });
  const edge = (source: string, target: string) => ({ id: source + target, source, target, data: {} });
  const version: Content = {
    definition: {
      nodes: [node('a', 0), node('b', 200), node('c', 400)],
      edges: [edge('a', 'b'), edge('b', 'c'), edge('a', 'c')],
    },
    settings: {},
    testValues: {},
  };
  const { nodes, edges } = pictureOf(version, version, []);
  const [left = 0] = nodes.map(({ x }) => x);
  const places = edges.map(({ id, x }) => [id, x < left ? 'beside' : 'between']);
  expect(places).toEqual([
    ['ab', 'between'],
    ['bc', 'between'],
    ['ac', 'beside'],
  ]);
  expect(edges.every(({ x }) => x > 0 && x < left + nodeSize.width)).toBe(true);
});
