import { describe, expect, test } from '@jest/globals';
import {
  campaignRowOf,
  channelOf,
  erasedAt,
  flagsOf,
  judgmentsIn,
  numberOf,
  outcomeMeaning,
  personOf,
  valuesOf,
} from '../../../console/src/screens/call/facts.ts';
import { callSearch } from '../../../console/src/screens/call/search.ts';
import { readGraph } from '../../../console/src/screens/call/version-graph.ts';
import { layoutPicture, nodeSize } from '../../../console/src/parts/graph-layout.ts';

describe('facts of a call', () => {
  test.each([
    [{ name: ' Maria Keller ', first_name: 'M' }, 'Maria Keller'],
    [{ first_name: 'Maria', last_name: 'Keller' }, 'Maria Keller'],
    [{ first_name: 'Maria' }, 'Maria'],
    [{ name: 7 }, null],
    [null, null],
  ])('the person of %j', (values, person) => {
    expect(personOf({ initial_context: values })).toBe(person);
  });

  test.each([
    [
      { campaign_id: 7, source_uuid: 'csv_0a1b2c3d_row_12' },
      { campaignId: 7, row: 12 },
    ],
    [
      { campaign_id: 7, source_uuid: 'csv_0a1b2c3d_row_12_retry_1' },
      { campaignId: 7, row: 12 },
    ],
    [{ campaign_id: 7 }, { campaignId: 7, row: null }],
    [{ campaign_id: '•••', source_uuid: '•••' }, null],
    [null, null],
  ])('the campaign and the row of %j', (values, expected) => {
    expect(campaignRowOf({ initial_context: values })).toEqual(expected);
  });

  test('shows the other person’s number for incoming and outgoing calls', () => {
    const numbers = { caller_number: '+12025550100', called_number: '4930123456', phone_number: null };
    const call = { ...numbers, initial_context: null };
    expect(numberOf({ ...call, call_type: 'outbound' })).toBe('+4930123456');
    expect(numberOf({ ...call, call_type: 'inbound' })).toBe('+12025550100');
  });

  test.each([
    ['textchat', 'text'],
    ['smallwebrtc', 'web'],
    ['web', 'web'],
    ['twilio', 'phone'],
  ])('mode %s is a %s call', (mode, channel) => {
    expect(channelOf(mode)).toBe(channel);
  });

  test('a call is erased once its words, values and recording are', () => {
    const [words, values] = ['2026-11-21T10:00:00Z', '2026-11-22T10:00:00Z'];
    const erased = { transcript_erased_at: words, variables_erased_at: values, recording_url: null };
    expect([
      erasedAt(erased),
      erasedAt({ ...erased, variables_erased_at: null }),
      erasedAt({ ...erased, transcript_erased_at: null }),
      erasedAt({ ...erased, recording_url: 'recordings/1.wav' }),
    ]).toEqual([values, null, null, null]);
  });

  test('flags and colors say what needs somebody', () => {
    const gathered = { call_tags: ['no-answer', 'not_connected', 'retry'], do_not_call: true };
    expect(flagsOf({ disposition: 'no-answer', gathered_context: gathered })).toEqual([
      'notConnected',
      'optedOut',
      'retry',
    ]);
    expect(flagsOf({ disposition: 'pipeline_error', gathered_context: null })).toEqual(['failed']);
    expect(['user_qualified', 'error', 'busy', 'appointment_confirmed'].map(outcomeMeaning)).toEqual([
      'ok',
      'bad',
      'machine',
      'agent',
    ]);
  });

  test('values are read as texts', () => {
    const extracted = { day: 'Thursday', size: 2, none: null, list: ['a'] };
    expect(valuesOf({ gathered_context: { extracted_variables: extracted } })).toEqual([
      ['day', 'Thursday'],
      ['size', '2'],
      ['none', '–'],
      ['list', '["a"]'],
    ]);
    expect(valuesOf({ gathered_context: null })).toEqual([]);
  });

  test('judgments, skipped ones and failed ones are told apart', () => {
    const node = { node_name: 'Ask', score: 8, overall_sentiment: 'neutral', summary: 'Fine.', tags: [] };
    const read = judgmentsIn({
      note: 'x',
      qa_one: { node_results: { a: node }, score: 8.5, tags: ['calm'], model: 'm', simulated: true },
      qa_two: { skipped: true, reason: 'too short' },
      qa_three: { error: 'no answer' },
    });
    expect(read).toMatchObject([
      { key: 'qa_one', score: 8.5, isSimulated: true, nodes: [{ id: 'a', name: 'Ask', score: 8 }] },
      { key: 'qa_two', score: null, reason: 'too short', isFault: false },
      { key: 'qa_three', score: null, reason: 'no answer', isFault: true },
    ]);
  });

  test('the nodes of a judgment stand in the order in which the call came to them', () => {
    const judged = (name: string) => ({ node_name: name, score: 8, summary: '' });
    const qa_one = { node_results: { end: judged('Bye'), ask: judged('Ask'), hello: judged('Hello') } };
    const order = (path: string[]) => judgmentsIn({ qa_one }, path)[0]?.nodes.map(({ name }) => name);
    expect(order(['hello', 'ask', 'hello', 'end'])).toEqual(['Hello', 'Ask', 'Bye']);
    expect(order(['Hello', 'Ask'])).toEqual(['Hello', 'Ask', 'Bye']);
    expect(order([])).toEqual(['Bye', 'Ask', 'Hello']);
  });

  test('the URL keeps what it understands', () => {
    expect(callSearch({ t: '25.5', tab: 'webhooks' })).toEqual({ t: 25.5, tab: 'webhooks' });
    expect(callSearch({ t: 'soon', tab: 'transcript' })).toEqual({});
  });
});

const node = (id: string, type: string, y: number, data: object = {}) => ({
  id,
  type,
  position: { x: 0, y },
  data: { name: id.toUpperCase(), ...data },
});
const definition = {
  nodes: [
    node('a', 'startCall', 0),
    node('b', 'agentNode', 200, { extraction_variables: [{ name: 'day', type: 'string' }] }),
    node('c', 'endCall', 400, { extraction_enabled: false, extraction_variables: [{ name: 'day' }] }),
    node('hook', 'webhook', 600),
  ],
  edges: [
    { id: 'e1', source: 'a', target: 'b', data: { label: 'Begin' } },
    { id: 'e2', source: 'b', target: 'c', data: {} },
    { id: 'e3', source: 'b', target: 'b', data: {} },
    { id: 'e4', source: 'c', target: 'hook', data: {} },
  ],
};

describe('the picture of a graph', () => {
  const graph = readGraph(definition);

  test('has the conversation alone, and knows which node asks for a value', () => {
    expect(graph.nodes.map(({ id, kind }) => [id, kind])).toEqual([
      ['a', 'start'],
      ['b', 'other'],
      ['c', 'end'],
    ]);
    expect(graph.edges.map(({ id, label }) => [id, label])).toEqual([
      ['e1', 'Begin'],
      ['e2', ''],
      ['e3', ''],
    ]);
    expect(graph.asked.get('day')).toEqual({ type: 'string', nodes: ['B'] });
    expect(graph.names.get('hook')).toBe('HOOK');
    expect(readGraph(undefined).nodes).toEqual([]);
  });

  test('marks what was visited and which transitions were taken', () => {
    const picture = layoutPicture(graph.nodes, graph.edges, ['a', 'b']);
    expect(picture.nodes.map(({ id, isVisited }) => [id, isVisited])).toEqual([
      ['a', true],
      ['b', true],
      ['c', false],
    ]);
    expect(picture.edges.map(({ id, isTaken }) => [id, isTaken])).toEqual([
      ['e1', true],
      ['e2', false],
      ['e3', false],
    ]);
  });

  test('keeps nodes apart and within the picture, also when all lie upon each other', () => {
    for (const nodes of [graph.nodes, graph.nodes.map((each) => ({ ...each, x: 0, y: 0 }))]) {
      const { nodes: placed, width, height } = layoutPicture(nodes, graph.edges);
      expect(placed.map(({ y }) => y)).toEqual([12, 96, 180]);
      for (const { x, y } of placed) {
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x + nodeSize.width).toBeLessThanOrEqual(width);
        expect(y + nodeSize.height).toBeLessThanOrEqual(height);
      }
    }
    expect(layoutPicture([], [])).toMatchObject({ nodes: [], edges: [] });
  });
});
