import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { turns } from '../../src/db/tables/turns.ts';
import type { TextSession } from '../../src/contract/text-sessions.ts';
import { initialCheckpoint } from '../../src/domain/call/checkpoint.ts';
import { rewindSession, renderTranscript } from '../../src/services/calls/index.ts';
import { neverChosen } from '../support/admitted-call.ts';
import { createCallWorld, type CallWorld } from '../support/call-world.ts';
import { threeStepDefinition } from '../support/definitions.ts';
import { createGate, createScriptedLlm, lastWords } from '../support/scripted-llm.ts';

const noWebhook = threeStepDefinition({ webhook: false });
const held = { gate: createGate(), extraction: createGate(), holdsExtraction: false };
const failing = { opening: false };

/** Extracts the user's last line as `day`; the first extraction of a held test waits. */
const llm = createScriptedLlm({
  before: async (request, said) => {
    if (request.responseFormat !== undefined) {
      if (held.holdsExtraction && said.includes('old branch')) await held.extraction.wait();
      return { text: JSON.stringify({ day: said.match(/^user: .*$/gm)?.at(-1) ?? null }) };
    }
    if (said === '' && failing.opening) return { fail: true };
    if (said.includes('hold')) await held.gate.wait();
    return undefined;
  },
});
let world: CallWorld;

beforeAll(async () => {
  world = await createCallWorld({ llm });
  await world.startWorker();
});

afterAll(async () => {
  await world.close();
});

const said = ({ session_data }: TextSession) =>
  session_data.turns.map(({ user_message }) => user_message?.text ?? null);
const discarded = ({ session_data }: TextSession) =>
  session_data.discarded_future.map(({ user_message }) => user_message?.text ?? null);
const turnId = ({ session_data }: TextSession, index: number) => session_data.turns[index]?.id ?? 'none';

describe('a rewind', () => {
  test('makes an earlier turn the last one, keeps the discarded turns separately, and the conversation continues from there', async () => {
    const session = await world.open(noWebhook);
    const first = await session.say('hello', 1);
    await session.say('go_on', 2);
    const rewound = await session.rewind(turnId(first, 1), 3);
    expect(rewound).toMatchObject({
      revision: 4,
      checkpoint: { current_node_id: 'start', anchor_turn_id: turnId(first, 1) },
      session_data: { status: 'rewound', cursor_turn_id: turnId(first, 1) },
      gathered_context: { nodes_visited: ['Start'] },
    });
    expect([said(rewound), discarded(rewound)]).toEqual([[null, 'hello'], ['go_on']]);

    const other = await session.say('something else', 4);
    expect([said(other), discarded(other)]).toEqual([[null, 'hello', 'something else'], ['go_on']]);
    expect(other).toMatchObject({ revision: 5, session_data: { status: 'idle' } });
    const prompt = llm.requests.findLast((request) => lastWords(request) === 'something else');
    expect(prompt?.messages.map(({ content }) => content)).not.toContain('go_on');

    await session.end(5);
    const { callId } = session;
    const transcript = await renderTranscript({
      db: world.ctx.db,
      callId,
      organizationId: world.ctx.organizationId,
    });
    expect([transcript.includes('something else'), transcript.includes('go_on')]).toEqual([true, false]);
  });

  test('to before the first turn lets the agent open again, as a separate change', async () => {
    const session = await world.open(noWebhook);
    await session.say('go_on', 1);
    const rewound = await session.rewind(null, 2);
    expect(rewound).toMatchObject({
      revision: 4,
      checkpoint: { current_node_id: 'start' },
      session_data: { status: 'idle', turns: [{ assistant_message: { text: 'Hello there.' } }] },
    });
    expect([said(rewound), discarded(rewound)]).toEqual([[null], [null, 'go_on']]);
    expect((await session.say('go_on', 4)).checkpoint.current_node_id).toBe('ask');
  });

  test('stays valid when the opening after it fails, and the next message repeats the opening', async () => {
    const session = await world.open(threeStepDefinition({ webhook: false, greeting: null }));
    await session.say('hello', 1);
    failing.opening = true;
    const rewound = await session.rewind(null, 2);
    failing.opening = false;
    expect(rewound).toMatchObject({
      revision: 3,
      checkpoint: { current_node_id: null },
      session_data: { status: 'error', turns: [] },
    });
    expect(said(await session.say('hello again', 3))).toEqual([null, 'hello again']);
  });

  test('changes nothing for another revision or for a turn that is not in the conversation', async () => {
    const session = await world.open(noWebhook);
    const spoken = await session.say('hello', 1);
    await expect(session.rewind(turnId(spoken, 0), 1)).rejects.toMatchObject({
      code: 'conflict',
      detail: { expected_revision: 1, actual_revision: 2 },
    });
    await expect(session.rewind('5b0d9fbb-0a38-4a4f-8d0e-5f5a52b3a111', 2)).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await session.read()).toEqual(spoken);
    await session.rewind(turnId(spoken, 0), 2);
    await expect(session.rewind(turnId(spoken, 1), 3)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('is answered again but not repeated when it is sent again with the same revision', async () => {
    const session = await world.open(noWebhook);
    const spoken = await session.say('hello', 1);
    const first = await session.rewind(turnId(spoken, 0), 2);
    expect(await session.rewind(turnId(spoken, 0), 2)).toEqual(first);
  });

  test('is refused with 400 after the end of the conversation', async () => {
    const session = await world.open(noWebhook);
    await session.end(1);
    await expect(session.rewind(null)).rejects.toMatchObject({ code: 'precondition', status: 400 });
  });

  test('waits for the message that is being answered, and is then refused because the revision has changed', async () => {
    held.gate = createGate();
    const session = await world.open(noWebhook);
    const answer = session.say('hold', 1);
    await held.gate.reached;
    const rewind = session.rewind(null, 1);
    held.gate.open();
    await expect(rewind).rejects.toMatchObject({ code: 'conflict', detail: { actual_revision: 2 } });
    expect(said(await answer)).toEqual([null, 'hold']);
  });

  test('survives continue-as-new with its branch and revision', async () => {
    world.adjustInput((input) => ({ ...input, turnsPerRun: 1 }));
    const session = await world.open(noWebhook);
    world.adjustInput((input) => input);
    const spoken = await session.say('hello', 1);
    await session.rewind(turnId(spoken, 0), 2);
    const other = await session.say('go_on', 3);
    expect([other.revision, said(other), discarded(other)]).toEqual([4, [null, 'go_on'], ['hello']]);
  });
});

describe('an extraction of a discarded branch', () => {
  test('is dropped, even when it arrives after the rewind, but its cost counts', async () => {
    held.extraction = createGate();
    held.holdsExtraction = true;
    const session = await world.open(noWebhook);
    const start = turnId(session.opening, 0);
    await session.say('old branch go_on', 1);
    await held.extraction.reached;
    await session.rewind(start, 2);
    held.extraction.open();
    held.holdsExtraction = false;
    expect((await session.end(3)).gathered_context).not.toHaveProperty('day');
    const { usage } = await session.row();
    expect(JSON.stringify(usage)).toMatch(/"prompt_tokens":[1-9]/);
  });

  test('does not replace the extraction at the end of a call that ends right after a rewind', async () => {
    const session = await world.open(noWebhook);
    const asked = await session.say('go_on', 1);
    await session.say('Tuesday', 2);
    await session.rewind(turnId(asked, 1), 3);
    expect((await session.end(4)).gathered_context).toMatchObject({ day: 'user: go_on' });
  });
});

test('a rewind whose answer was lost is committed once and keeps every turn', async () => {
  const session = await world.open(noWebhook);
  await session.say('hello', 1);
  const ref = { callId: session.callId, organizationId: world.ctx.organizationId };
  const checkpoint = {
    ...initialCheckpoint,
    nodeId: 'start',
    visitIndex: 0,
    turnIndex: 1,
    nodesVisited: ['Start'],
    revision: 2,
  };
  const deps = {
    ...world.ctx,
    llm,
    model: 'test-model',
    customerLlms: neverChosen,
    publicUrl: 'http://parlance.test',
  };
  const input = { ...ref, checkpoint, cursorTurnUuid: turnId(session.opening, 0), failures: 0 };
  const first = await rewindSession({ deps, input });
  const read = await session.read();
  expect(await rewindSession({ deps, input })).toEqual(first);
  expect(await session.read()).toEqual(read);
  expect(first).toMatchObject({
    kind: 'rewound',
    checkpoint: { revision: 3, branch: 1, turnIndex: 0 },
    lineCount: 1,
  });
  expect(await world.ctx.db.getRepository(turns).countBy({ callId: session.callId })).toBe(2);
});
