import { describe, expect, test } from '@jest/globals';
import { i18n } from '@lingui/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { assert, nat, property, shuffledSubarray } from 'fast-check';
import { type Draft, definitionOf, draftOf, sameJson } from '../../../console/src/graph/draft.ts';
import {
  addNode,
  applyFix,
  between,
  clippingOf,
  connect,
  guidesOf,
  insertOnEdge,
  linedUp,
  moveNodes,
  paste,
  readClipping,
  remove,
  reorder,
  setEdgeField,
  setField,
  setSetting,
} from '../../../console/src/graph/edit.ts';
import { closeStep, historyOf, record, redo, undo } from '../../../console/src/graph/history.ts';
import { maxNameLength, nameFault } from '../../../console/src/graph/agent-name.ts';
import { tidy } from '../../../console/src/graph/layout.ts';
import { merge, takeTheirs } from '../../../console/src/graph/merge.ts';
import { outlineOf } from '../../../console/src/graph/order.ts';
import { controlOf, fieldProblem, isShown, tabsOf } from '../../../console/src/graph/form.ts';
import { drawEdges } from '../../../console/src/graph/edges.ts';
import { settingChanges } from '../../../console/src/graph/settings.ts';
import { asSentence, distinct, problemsOf } from '../../../console/src/graph/problems.ts';
import {
  filesOf,
  knownVariables,
  mended,
  payloadVariables,
  renamedColumnsOf,
  variableFaults,
  withDefault,
} from '../../../console/src/graph/variables.ts';
import words from '../../../console/src/locales/en/editor.json' with { type: 'json' };
import { createSaver, type Base, type SaveAnswer, type SaveState } from '../../../console/src/graph/saver.ts';
import { PropertyType, type NodeSpec } from '../../../src/contract/node-types.ts';
import { findNodeType, nodeTypes } from '../../../src/domain/graph/catalog/node-specs.ts';
import { faultCodes } from '../../../src/domain/graph/faults.ts';
import { warningCodes } from '../../../src/domain/graph/findings.ts';
import { graphsWithFaults } from '../graph/checked-graphs.ts';
import { calling, inspectedGraphs } from '../graph/inspected-graphs.ts';

const specs = nodeTypes().node_types;
const spec = (name: string): NodeSpec => {
  const found = findNodeType(name);
  if (found === null) throw new Error(`no type ${name}`);
  return found;
};
const node = (id: string, type = 'agentNode', data: Record<string, unknown> = {}) => ({
  id,
  type,
  position: { x: 0, y: 0 },
  data: { name: id, prompt: 'Say something.', ...data },
});
const edge = (id: string, source: string, target: string, label = id) => ({
  id,
  source,
  target,
  data: { label, condition: 'When it is so.' },
});
const draft = (definition: Record<string, unknown>): Draft =>
  draftOf({
    name: 'Reminder',
    workflow_definition: definition,
    workflow_configurations: {},
    template_context_variables: {},
  });
const small = draft({
  nodes: [node('start', 'startCall'), node('ask'), node('bye', 'endCall')],
  edges: [edge('yes', 'start', 'ask'), edge('no', 'start', 'bye'), edge('done', 'ask', 'bye')],
});
const isBeside = (type: string) => {
  const category = specs.find(({ name }) => name === type)?.category;
  return category !== undefined && category !== 'call_node';
};

describe('nodes that are lined up', () => {
  const places = { start: { x: 45, y: 130 }, ask: { x: 100, y: 20 }, bye: { x: 900, y: 300 } };
  const spread = moveNodes(small, new Map(Object.entries(places)));
  const ids = Object.keys(places);

  test('stand in one row at the highest, in their order, and never on each other', () => {
    expect(Object.fromEntries(linedUp(spread, ids, 'row'))).toEqual({
      start: { x: 40, y: 20 },
      ask: { x: 340, y: 20 },
      bye: { x: 900, y: 20 },
    });
  });

  test('stand in one column at the leftmost', () => {
    expect(Object.fromEntries(linedUp(spread, ids, 'column'))).toEqual({
      ask: { x: 40, y: 20 },
      start: { x: 40, y: 180 },
      bye: { x: 40, y: 340 },
    });
  });

  test('leave the others where they are', () => {
    expect([...linedUp(spread, ['start', 'bye'], 'row').keys()]).toEqual(['start', 'bye']);
  });

  test('show a guide to the nearest node whose edge is theirs', () => {
    const others = [
      { x: 0, y: 0 },
      { x: 0, y: 400 },
      { x: 600, y: 300 },
    ];
    expect(guidesOf({ x: 0, y: 300 }, others)).toEqual([
      { kind: 'left', at: 0, from: 300, to: 500 },
      { kind: 'top', at: 300, from: 0, to: 848 },
    ]);
    expect(guidesOf({ x: 20, y: 320 }, others)).toEqual([]);
  });
});

describe('a draft', () => {
  test('keeps what this console does not know: types, keys and the rest of the definition', () => {
    const definition = {
      viewport: { x: 1, y: 2, zoom: 0.5 },
      nodes: [{ ...node('a', 'oracle', { seen: [1, { deep: null }] }), measured: { width: 3 } }],
      edges: [{ ...edge('e', 'a', 'a'), animated: true }],
    };
    expect(definitionOf(draft(definition))).toEqual(definition);
  });

  test('gives repeated and absent ids their own', () => {
    const { nodes, edges } = draft({
      nodes: [{ data: {} }],
      edges: [edge('e', 'a', 'b'), edge('e', 'a', 'b')],
    });
    expect(nodes.map(({ id }) => id)).toEqual(['node-1']);
    expect(edges.map(({ id }) => id)).toEqual(['e', 'e#2']);
  });
});

describe('editing', () => {
  test('a new node has the defaults of its type, a free name and a place on the grid', () => {
    const once = addNode(small, { id: 'n1', spec: spec('agentNode'), at: { x: 13, y: 27 } });
    const twice = addNode(once, { id: 'n2', spec: spec('agentNode'), at: { x: 0, y: 0 } });
    expect(twice.nodes.slice(3)).toMatchObject([
      { id: 'n1', position: { x: 20, y: 20 }, data: { name: 'Agent', allow_interrupt: true } },
      { id: 'n2', data: { name: 'Agent 2' } },
    ]);
    expect(twice.nodes[3]?.data).not.toHaveProperty('extraction_prompt');
  });

  test('removing a node removes its transitions; inserting on a transition keeps its words', () => {
    expect(remove(small, ['ask']).edges.map(({ id }) => id)).toEqual(['no']);
    const inserted = insertOnEdge(small, {
      edgeId: 'yes',
      newEdgeId: 'then',
      node: { id: 'mid', spec: spec('agentNode'), at: { x: 0, y: 0 } },
    });
    expect(inserted.edges.find(({ id }) => id === 'yes')).toMatchObject({
      target: 'mid',
      data: { label: 'yes' },
    });
    expect(inserted.edges.find(({ id }) => id === 'then')).toMatchObject({ source: 'mid', target: 'ask' });
  });

  test('transitions change places only among those of their node', () => {
    const moved = reorder(small, 'no', -1);
    expect(moved.edges.map(({ id }) => id)).toEqual(['no', 'yes', 'done']);
    expect(reorder(small, 'done', -1)).toEqual(small);
  });

  test('copies go through text, get their own ids and names, and keep the transitions between them', () => {
    const clipping = readClipping(JSON.stringify(clippingOf(small, ['ask', 'bye'])));
    if (clipping === null) throw new Error('cannot be read');
    let count = 0;
    const { draft: pasted, ids } = paste(small, clipping, () => `new${(count += 1)}`);
    expect(pasted.nodes.filter(({ id }) => ids.includes(id)).map(({ data }) => data['name'])).toEqual([
      'ask 2',
      'bye 2',
    ]);
    expect(pasted.edges.at(-1)).toMatchObject({ source: ids[0], target: ids[1], data: { label: 'done' } });
    for (const text of ['hello', '{"nodes":[]}', '[1]']) expect(readClipping(text)).toBeNull();
  });

  test('undo and redo go through every step by its name, and typing in a field is one step', () => {
    let history = historyOf(small);
    for (const name of ['H', 'He', 'Hel'])
      history = record(history, setField(history.present, 'ask', 'name', name), {
        name: 'type',
        key: 'ask.name',
      });
    history = record(closeStep(history), remove(history.present, ['bye']), { name: 'delete bye' });
    expect(history.past.map(({ name }) => name)).toEqual(['type', 'delete bye']);
    const back = undo(undo(history));
    expect(back.present).toEqual(small);
    expect(redo(redo(back)).present).toEqual(history.present);
    expect(undo(undo(back)).present).toEqual(small);
    expect(record(history, { ...history.present }, { name: 'nothing' })).toBe(history);
  });
});

describe('the outline', () => {
  test('reads from the start, breadth first; then what cannot be reached; side nodes apart', () => {
    const { flow, beside } = outlineOf(
      draft({
        nodes: [
          node('lost'),
          node('c'),
          node('b'),
          node('s', 'startCall'),
          node('w', 'webhook'),
          node('x', 'oracle'),
        ],
        edges: [edge('1', 's', 'b'), edge('2', 's', 'c'), edge('3', 'b', 's'), edge('4', 'c', 'x')],
      }),
      isBeside,
    );
    expect(flow.map(({ node: { id }, isUnreachable }) => [id, isUnreachable])).toEqual([
      ['s', false],
      ['b', false],
      ['c', false],
      ['x', false],
      ['lost', true],
    ]);
    expect(beside.map(({ id }) => id)).toEqual(['w']);
  });
});

describe('merging', () => {
  test('keeps changes of different fields of both sides, also of one node', () => {
    const mine = setField(small, 'ask', 'name', 'Mine');
    const theirs = setSetting(setField(small, 'ask', 'prompt', 'Theirs'), 'max_call_duration', 60);
    const { merged, conflicts, taken } = merge(small, mine, theirs);
    expect(conflicts).toEqual([]);
    expect(merged.nodes[1]?.data).toMatchObject({ name: 'Mine', prompt: 'Theirs' });
    expect(merged.settings).toEqual({ max_call_duration: 60 });
    expect(taken).toEqual(
      [
        { of: 'settings', id: null, field: 'max_call_duration' },
        { of: 'node', id: 'ask', field: 'data.prompt' },
      ].toSorted((a) => (a.of === 'settings' ? 1 : -1)),
    );
  });

  test('shows both values of one field, keeps mine, and can take theirs', () => {
    const mine = setField(small, 'ask', 'prompt', 'Mine');
    const theirs = setField(small, 'ask', 'prompt', 'Theirs');
    const { merged, conflicts } = merge(small, mine, theirs);
    expect(merged).toEqual(mine);
    expect(conflicts).toMatchObject([{ id: 'ask', field: 'data.prompt', mine: 'Mine', theirs: 'Theirs' }]);
    const [conflict] = conflicts;
    if (conflict === undefined) throw new Error('no conflict');
    expect(takeTheirs(merged, conflict)).toEqual(theirs);
  });

  test('asks when one side removed what the other changed, and never about places', () => {
    const changed = setField(small, 'ask', 'prompt', 'Other');
    const gone = remove(small, ['ask']);
    const mineGone = merge(small, gone, changed);
    expect(mineGone.merged.nodes.map(({ id }) => id)).toEqual(['start', 'bye']);
    expect(mineGone.conflicts).toMatchObject([{ id: 'ask', field: null, mine: undefined }]);
    const theirsGone = merge(small, changed, gone);
    expect(theirsGone.merged.nodes[1]).toEqual(changed.nodes[1]);
    expect(theirsGone.conflicts).toHaveLength(1);
    const moved = (x: number) => moveNodes(small, new Map([['ask', { x, y: 0 }]]));
    expect(merge(small, moved(20), moved(40))).toEqual({ merged: moved(20), conflicts: [], taken: [] });
  });

  test('a transition of one side to a node that the other removed is left out', () => {
    const { merged } = merge(
      small,
      remove(small, ['bye']),
      connect(small, { id: 'new', source: 'ask', target: 'bye' }),
    );
    expect(merged.edges.map(({ id }) => id)).toEqual(['yes']);
  });

  test('of disjoint edits does not depend on who merges', () => {
    const ids = ['start', 'ask', 'bye'];
    const edits = [
      ...ids.flatMap((id) => [
        (d: Draft) => setField(d, id, 'name', `${id}!`),
        (d: Draft) => setField(d, id, 'prompt', `${id}?`),
        (d: Draft) => moveNodes(d, new Map([[id, { x: 100, y: 100 }]])),
      ]),
      (d: Draft) => setEdgeField(d, 'yes', 'condition', 'changed'),
      (d: Draft) => setEdgeField(d, 'yes', 'label', 'Oh yes'),
      (d: Draft) => addNode(d, { id: 'n1', spec: spec('agentNode'), at: { x: 0, y: 0 }, name: 'One' }),
      (d: Draft) => addNode(d, { id: 'n2', spec: spec('webhook'), at: { x: 0, y: 0 }, name: 'Two' }),
      (d: Draft) => connect(d, { id: 'e1', source: 'ask', target: 'start' }),
      (d: Draft) => reorder(d, 'no', -1),
      (d: Draft) => setSetting(d, 'dictionary', 'Ava'),
      (d: Draft) => remove(d, ['done']),
    ];
    assert(
      property(shuffledSubarray(edits), nat(edits.length), (chosen, cut) => {
        const apply = (list: typeof edits) => list.reduce((d, change) => change(d), small);
        const [mine, theirs] = [apply(chosen.slice(0, cut)), apply(chosen.slice(cut))];
        const [one, other] = [merge(small, mine, theirs), merge(small, theirs, mine)];
        expect(one.conflicts).toEqual([]);
        expect(sameJson(one.merged, other.merged)).toBe(true);
        expect(merge(small, mine, small).merged).toEqual(mine);
        expect(merge(small, small, theirs).merged).toEqual(theirs);
      }),
    );
  });
});

describe('the form', () => {
  test('has a control for every type of field, and edits unknown ones as JSON', () => {
    for (const type of PropertyType.options)
      expect({ type, control: controlOf({ type, editor: null }) === 'json' }).toEqual({
        type,
        control: type === 'json',
      });
    expect(controlOf({ type: 'hologram', editor: null })).toBe('json');
    expect(controlOf({ type: 'string', editor: 'textarea' })).toBe('area');
  });

  test('shows every field of every type once, but for the name and what only older clients send', () => {
    for (const each of specs) {
      const shown = tabsOf(each).flatMap(({ fields }) => fields.map(({ name }) => name));
      const all = each.properties.map(({ name }) => name).filter((name) => name !== 'name');
      expect(shown.toSorted()).toEqual(all.filter((name) => name !== 'pre_call_fetch_enabled').toSorted());
    }
    expect(tabsOf(spec('startCall')).map(({ id }) => id)).toEqual([
      'prompt',
      'extraction',
      'tools',
      'advanced',
    ]);
    expect(tabsOf(spec('webhook')).map(({ id }) => id)).toEqual(['prompt']);
  });

  test('shows a field by the values of others, absent ones by their default', () => {
    const { properties } = spec('startCall');
    const shown = (name: string, data: Record<string, unknown>) => {
      const property = properties.find((each) => each.name === name);
      if (property === undefined) throw new Error(name);
      return isShown(property, properties, data);
    };
    expect(shown('greeting', {})).toBe(true);
    expect(shown('greeting', { greeting_type: 'audio' })).toBe(false);
    expect(shown('pre_call_fetch_url', {})).toBe(false);
    expect(shown('pre_call_fetch_url', { pre_call_fetch_mode: 'inbound' })).toBe(true);
  });

  test('says why a value is refused', () => {
    const property = (type: string, name: string) => {
      const found = spec(type).properties.find((each) => each.name === name);
      if (found === undefined) throw new Error(name);
      return found;
    };
    expect(fieldProblem(property('qa', 'qa_sample_rate'), 101)).toEqual({ code: 'max', limit: 100 });
    expect(fieldProblem(property('trigger', 'trigger_path'), 'a b')).toEqual({ code: 'pattern' });
    expect(fieldProblem(property('agentNode', 'prompt'), '')).toEqual({ code: 'required' });
    expect(fieldProblem(property('agentNode', 'extraction_prompt'), null)).toBeNull();
  });
});

describe('drawing', () => {
  const rect = (x: number, y: number) => ({ x, y, width: 240, height: 100 });

  test('runs down between neighbors, beside what it passes, and turns sideways to other columns', () => {
    const rects = new Map([
      ['a', rect(0, 0)],
      ['b', rect(0, 160)],
      ['c', rect(0, 320)],
      ['d', rect(400, 240)],
    ]);
    const drawn = drawEdges(rects, [
      { id: 'down', source: 'a', target: 'b' },
      { id: 'past', source: 'a', target: 'c' },
      { id: 'aside', source: 'b', target: 'd' },
      { id: 'home', source: 'd', target: 'c' },
      { id: 'back', source: 'c', target: 'a' },
      { id: 'self', source: 'b', target: 'b' },
      { id: 'nowhere', source: 'b', target: 'gone' },
    ]);
    expect(drawn.has('nowhere')).toBe(false);
    expect(drawn.get('down')?.points).toEqual([
      { x: 120, y: 100 },
      { x: 120, y: 160 },
    ]);
    const past = drawn.get('past')?.points ?? [];
    expect(Math.min(...past.map(({ x }) => x))).toBeLessThan(-20);
    expect(drawn.get('aside')?.points[0]?.x).toBe(240);
    expect(drawn.get('home')?.points.at(-1)?.x).toBe(240);
    expect(Math.max(...(drawn.get('back')?.points ?? []).map(({ x }) => x))).toBeGreaterThan(240);
    for (const { points, label } of drawn.values())
      expect(
        points.some(
          (end, index) =>
            index > 0 &&
            ((end.x === points[index - 1]?.x && label.x === end.x) ||
              (end.y === points[index - 1]?.y && label.y === end.y)),
        ),
      ).toBe(true);
  });

  test('lays out from top to bottom without overlap', () => {
    const places = tidy(small, ['start', 'ask', 'bye']);
    const y = (id: string) => places.get(id)?.y ?? NaN;
    expect(y('ask')).toBeGreaterThanOrEqual(y('start') + 100);
    expect(y('bye')).toBeGreaterThanOrEqual(y('ask') + 100);
  });
});

test('nodes that are laid out glide to their places, and new ones are there at once', () => {
  const [from, to] = [
    new Map([['a', { x: 0, y: 100 }]]),
    new Map([
      ['a', { x: 200, y: 0 }],
      ['b', { x: 7, y: 7 }],
    ]),
  ];
  expect(between(from, to, 0.25)).toEqual(
    new Map([
      ['a', { x: 50, y: 75 }],
      ['b', { x: 7, y: 7 }],
    ]),
  );
  expect(between(from, to, 1)).toEqual(to);
});

test.each([
  ['', 'empty'],
  [' \n ', 'empty'],
  ['Reminder', null],
  [` ${'x'.repeat(maxNameLength)} `, null],
  ['x'.repeat(maxNameLength + 1), 'long'],
])('an agent called %j is %s', (name, fault) => {
  expect(nameFault(name)).toBe(fault);
});

describe('variables', () => {
  test('of prompts come from test values, other texts, files and every call; not from the conversation', () => {
    const used = {
      ...setField(small, 'ask', 'prompt', '{{ first_name }} {{first_name | there}} {{gathered_context.day}}'),
      values: { plan: 'gold' },
    };
    const listed = [
      {
        name: 'first_name',
        scope: 'initial_context',
        default: null,
        sources: [
          { type: 'file' as const, directory_name: 'leads.csv', column: 'First' },
          { type: 'trigger' as const },
        ],
      },
      { name: 'day', scope: 'gathered_context', default: null, sources: [] },
    ];
    const known = knownVariables(used, listed);
    const shown = known.map(({ name, sources, example }) => [
      name,
      sources.map(({ type, column }) => column ?? type),
      example,
    ]);
    expect(shown).toEqual([
      ['called_number', ['telephony'], null],
      ['caller_number', ['telephony'], null],
      ['current_time', ['time'], null],
      ['current_weekday', ['time'], null],
      ['first_name', ['First', 'trigger'], 'there'],
      ['plan', ['test_value', 'trigger'], 'gold'],
    ]);
  });

  test('without a default are faults of the text, which a default mends', () => {
    const text = '{{ a }} {{b | x}} {{current_time_UTC}} {{caller_number}} {{gathered_context.c}}';
    expect(variableFaults(text, { testValues: null }).map(({ name, mend }) => [name, mend])).toEqual([
      ['a', 'default'],
      ['gathered_context.c', 'text'],
    ]);
    expect(mended(text, 'gathered_context.c', { testValues: null })).toBe(
      '{{ a }} {{b | x}} {{current_time_UTC}} {{caller_number}} ',
    );
    expect(withDefault('{{ a }} {{a}} {{a | b}} {{ab}}', 'a', 'c}')).toBe(
      '{{a | c}} {{a | c}} {{a | b}} {{ab}}',
    );
  });
});

describe('columns that calls know by another name only', () => {
  const file = (name: string, column: string) => ({
    name,
    scope: 'initial_context',
    default: null,
    sources: [{ type: 'file' as const, directory_name: 'leads.csv', column }],
  });
  const listed = [file('ext_customer_id', 'Kunde_Nr'), file('phone_number', 'Tel'), file('city', 'city')];
  const known = { testValues: null, renamedColumns: renamedColumnsOf(listed) };

  test.each([
    ['{{Kunde_Nr}} of {{ kunde_nr | none}}', '{{ext_customer_id}} of {{ext_customer_id | none}}'],
    ['{{Tel}}', '{{phone_number}}'],
    ['{{ext_customer_id}} {{phone_number}}', null],
  ])('are faults under their own name, and are mended by that name: %s', (text, after) => {
    const faults = variableFaults(text, known);
    expect(faults.map(({ mend }) => mend)).toEqual(faults.map(() => 'text'));
    const all = faults.reduce((now, { name }) => mended(now, name, known), text);
    expect([faults.length > 0, all]).toEqual([after !== null, after ?? text]);
  });

  test('are problems of the whole draft, too', () => {
    const using = setField(small, 'ask', 'prompt', 'Your number is {{kunde_nr | unknown}}.');
    expect(problemsOf(using, { renamedColumns: known.renamedColumns })).toMatchObject([
      {
        code: 'variable_unknown',
        id: 'ask',
        field: 'prompt',
        fix: { edit: { text: '{{ext_customer_id | unknown}}' } },
      },
    ]);
    expect(problemsOf(using)).toEqual([]);
  });

  test('tell that campaigns use the agent, whose opening must disclose the AI', () => {
    expect(problemsOf(small, filesOf([]))).toEqual([]);
    expect(problemsOf(small, filesOf(listed))).toMatchObject([
      { severity: 'warning', code: 'disclosure_missing', id: 'start', field: 'prompt' },
    ]);
  });

  test('are no faults if another file of the agent has a variable of that name', () => {
    expect(renamedColumnsOf([...listed, file('kunde_nr', 'kunde_nr')]).has('kunde_nr')).toBe(false);
  });
});

test('the body of a webhook is offered the fields of the call, values at its start and learned ones', () => {
  const extracting = setField(
    setField(small, 'ask', 'extraction_enabled', true),
    'ask',
    'extraction_variables',
    [{ name: 'day', type: 'string', prompt: 'the day' }],
  );
  const names = payloadVariables({ ...extracting, values: { plan: 'gold' } }).map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      'workflow_run_id',
      'current_time',
      'initial_context.plan',
      'initial_context.caller_number',
      'gathered_context.day',
    ]),
  );
  expect(names).not.toContain('plan');
});

describe('problems', () => {
  test('of every code have words in the catalog, the same as those of the server', () => {
    i18n.load(
      'en',
      Object.fromEntries(Object.entries(words).map(([id, text]) => [id, compileMessage(text)])),
    );
    i18n.activate('en');
    const codes = [...faultCodes, ...warningCodes];
    expect(codes.filter((code) => !(`editor.problem.${code}` in words))).toEqual([]);
    const samples = [...graphsWithFaults, ...inspectedGraphs].map(([, definition]) =>
      draft({ ...definition }),
    );
    const found = samples.flatMap((each) => problemsOf(each, { toolNames: new Map() }));
    expect(found.length).toBeGreaterThan(50);
    for (const { code, values, message } of found) {
      // A value inside of a value is named by its path.
      if (code === 'value_wrong' && /[.:]/.test(message)) continue;
      expect(asSentence(i18n._(`editor.problem.${code}`, values)).replaceAll('’', "'")).toBe(message);
    }
  });

  test('are mended as their fix says', () => {
    const silent = draft(calling({ extraction_enabled: false, greeting: 'Hello, this is Ava. Hi!' }));
    const fixed = problemsOf(silent).reduce((now, problem) => applyFix(now, problem), silent);
    expect(problemsOf(fixed)).toEqual([]);
    expect(fixed.nodes[0]?.data).toMatchObject({ greeting: 'Hello, this is Ava. I am an AI assistant. Hi!' });
    const spoken = draft({
      nodes: [node('s', 'startCall'), node('e', 'endCall')],
      edges: [
        {
          id: 'w',
          source: 's',
          target: 'e',
          data: { label: 'x', condition: 'y', transition_speech: 'On {{gathered_context.day | Monday}}!' },
        },
      ],
    });
    const [gathered] = problemsOf(spoken);
    if (gathered === undefined) throw new Error('no problem');
    expect(applyFix(spoken, gathered).edges[0]?.data).toMatchObject({ transition_speech: 'On Monday!' });
  });

  test('are those of the server, with their field, and without the name of their node', () => {
    const broken = setEdgeField(
      addNode(setField(small, 'ask', 'prompt', ''), {
        id: 'n',
        spec: spec('agentNode'),
        at: { x: 0, y: 0 },
      }),
      'yes',
      'label',
      '',
    );
    const problems = problemsOf(broken);
    expect(problems).toContainEqual({
      severity: 'error',
      code: 'prompt_missing',
      of: 'node',
      id: 'ask',
      field: null,
      message: 'A prompt is required',
    });
    expect(problems).toContainEqual(expect.objectContaining({ of: 'edge', id: 'yes', field: 'label' }));
    expect(problems).toContainEqual(
      expect.objectContaining({ severity: 'warning', id: 'n', code: 'unreachable' }),
    );
    expect(problemsOf(small)).toEqual([]);
  });

  test('are counted once for a node, at the first of the fields that have them', () => {
    const unknown = 'Is it {{birthday}}?';
    const both = setField(setField(small, 'ask', 'prompt', unknown), 'ask', 'greeting', unknown);
    const problems = problemsOf(both);
    expect(problems.map(({ field }) => field)).toEqual(['prompt', 'greeting']);
    expect(distinct(problems)).toEqual([problems[0]]);
    expect(distinct(problemsOf(setField(both, 'start', 'prompt', unknown)))).toHaveLength(2);
  });
});

describe('changed settings', () => {
  test('are one by one, as the drawer has them', () => {
    const override = { mode: 'own', llm: { model: 'a' } };
    const before = { max_call_duration: 300, voicemail_detection: { enabled: true, model: 'a' } };
    const after = {
      max_call_duration: 300,
      voicemail_detection: { enabled: true },
      model_overrides: { tts: { voice: 'nova' } },
      model_configuration_v2_override: override,
    };
    expect(settingChanges(before, after)).toEqual([
      { kind: 'added', key: 'model_overrides.tts.voice', before: undefined, after: 'nova' },
      { kind: 'added', key: 'model_configuration_v2_override', before: undefined, after: override },
      { kind: 'removed', key: 'voicemail_detection.model', before: 'a', after: undefined },
    ]);
  });
});

describe('saving', () => {
  function stand(answers: ((sent: Draft, base: Base) => SaveAnswer)[]) {
    let present = small;
    const sent: Draft[] = [];
    const states: SaveState['is'][] = [];
    const merges: number[] = [];
    let kept: Draft | null = null;
    const waiting: (() => void)[] = [];
    const saver = createSaver(
      { draft: small, etag: '"1"' },
      {
        put: (draftNow, base) => {
          sent.push(draftNow);
          const answer = answers.shift();
          if (answer === undefined) throw new Error('one request too many');
          return Promise.resolve(answer(draftNow, base));
        },
        present: () => present,
        show: (next) => (present = next),
        onState: ({ is }) => states.push(is),
        keep: (work) => (kept = work?.draft ?? null),
        onMerged: (taken) => merges.push(taken.length),
        now: () => new Date(0),
        later: (run) => {
          waiting.push(run);
          return () => waiting.splice(waiting.indexOf(run), 1);
        },
      },
    );
    const change = (next: Draft) => {
      present = next;
      saver.changed();
    };
    return { saver, sent, states, merges, waiting, change, present: () => present, kept: () => kept };
  }
  const stored = (sent: Draft): SaveAnswer => ({ is: 'stored', base: { draft: sent, etag: '"2"' } });

  test('sends what differs, once, and nothing without a difference', async () => {
    const { saver, sent, states, change, kept } = stand([stored]);
    await saver.flush();
    expect(sent).toEqual([]);
    change(setField(small, 'ask', 'name', 'A'));
    expect(kept()).not.toBeNull();
    change(small);
    expect(kept()).toBeNull();
    change(setField(small, 'ask', 'name', 'B'));
    await saver.flush();
    await saver.flush();
    expect(sent).toHaveLength(1);
    expect(states.at(-1)).toBe('saved');
    expect(kept()).toBeNull();
  });

  test('keeps the work while the service is away, and sends it when it is back', async () => {
    const { saver, sent, states, waiting, change, kept } = stand([() => ({ is: 'unreachable' }), stored]);
    change(setField(small, 'ask', 'name', 'A'));
    await saver.flush();
    expect(states.at(-1)).toBe('offline');
    expect(kept()).not.toBeNull();
    expect(waiting).toHaveLength(1);
    waiting[0]?.();
    await saver.flush();
    expect(sent).toHaveLength(2);
    expect(saver.state().is).toBe('saved');
  });

  test('merges what somebody else changed elsewhere and saves again; asks about the same field', async () => {
    const theirs = setField(small, 'bye', 'prompt', 'Theirs');
    const changed = (): SaveAnswer => ({ is: 'changed', base: { draft: theirs, etag: '"9"' } });
    const easy = stand([changed, stored]);
    easy.change(setField(small, 'ask', 'prompt', 'Mine'));
    await easy.saver.flush();
    expect(easy.sent[1]?.nodes.map(({ data }) => data['prompt'])).toEqual([
      'Say something.',
      'Mine',
      'Theirs',
    ]);
    expect(easy.merges).toEqual([1]);
    const hard = stand([changed, stored]);
    hard.change(setField(small, 'bye', 'prompt', 'Mine'));
    await hard.saver.flush();
    expect(hard.saver.state()).toMatchObject({
      is: 'conflict',
      conflicts: [{ mine: 'Mine', theirs: 'Theirs' }],
    });
    await hard.saver.settle();
    expect(hard.sent).toHaveLength(2);
    expect(hard.saver.state().is).toBe('saved');
  });

  test('keeps what is typed while a request is on its way, and what the server tidied', async () => {
    const world = stand([
      (sent) => {
        world.change(setField(sent, 'ask', 'name', 'AB'));
        return { is: 'stored', base: { draft: setField(sent, 'bye', 'is_end', true), etag: '"2"' } };
      },
      stored,
    ]);
    world.change(setField(small, 'ask', 'name', 'A'));
    await world.saver.flush();
    expect(world.present().nodes.map(({ data }) => [data['name'], data['is_end']])).toEqual([
      ['start', undefined],
      ['AB', undefined],
      ['bye', true],
    ]);
    expect(world.sent).toHaveLength(2);
  });

  test('says why the server refuses a draft, and tries again after the next change', async () => {
    const { saver, sent, change } = stand([() => ({ is: 'refused', message: 'No.' }), stored]);
    change(setField(small, 'ask', 'name', 'A'));
    await saver.flush();
    expect(saver.state()).toEqual({ is: 'refused', message: 'No.' });
    change(setField(small, 'ask', 'name', 'B'));
    await saver.flush();
    expect(sent).toHaveLength(2);
  });
});
