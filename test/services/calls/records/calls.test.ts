import { rehearsedNumbers } from '../../../../src/domain/call/call-numbers.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { deleteRows, insertRow, updateRows } from '../../../../src/db/rows.ts';
import { callSeats } from '../../../../src/db/tables/call-seats.ts';
import { calls, type CallRow } from '../../../../src/db/tables/calls.ts';
import { carrierEvents } from '../../../../src/db/tables/carrier-events.ts';
import { extractions } from '../../../../src/db/tables/extractions.ts';
import { journalEntries, type JournalEntryRow } from '../../../../src/db/tables/journal-entries.ts';
import { textSessions } from '../../../../src/db/tables/text-sessions.ts';
import { turns, type TurnRow } from '../../../../src/db/tables/turns.ts';
import { initialCheckpoint, type Checkpoint } from '../../../../src/domain/call/checkpoint.ts';
import { NotFoundError } from '../../../../src/domain/errors.ts';
import { randomIds } from '../../../../src/runtime/ids.ts';
import { createAgent, listAgents } from '../../../../src/services/agents/index.ts';
import { reportCallEnd } from '../../../../src/services/campaigns/index.ts';
import {
  finalizeCall,
  findCallByPublicToken,
  getCall,
  getLiveCall,
  listCalls,
  listUsageRuns,
  readFilters,
  renderTranscript,
} from '../../../../src/services/calls/index.ts';
import type { ListCallsInput } from '../../../../src/services/calls/records/list.ts';
import type { ServiceContext } from '../../../../src/services/kernel/context.ts';
import {
  createTestContext,
  createTestDatabase,
  bothDatabases,
  type TestDatabase,
} from '../../../support/database.ts';
import { insertCampaign } from '../../../support/campaign-targets.ts';
import { threeStepDefinition } from '../../../support/definitions.ts';

const publicUrl = 'https://voice.example.test';
const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 10, 0, second));

describe.each(bothDatabases)('calls on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;
  let stranger: ServiceContext;
  let agentId: number;
  let versionId: number;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    ctx = await createTestContext(database.db);
    stranger = await createTestContext(database.db);
    ({ agentId, versionId } = await newAgent());
  });
  afterAll(async () => await database.drop());

  async function newAgent(definition = threeStepDefinition()) {
    const agent = await createAgent({ ctx, input: { name: 'An agent', definition } });
    return { agentId: agent.id, versionId: Number(agent.current_definition_id) };
  }

  async function insertCall(change: Partial<CallRow> = {}): Promise<CallRow> {
    const initialContext = change.initialContext ?? { caller_number: '15551234567', name: 'Maria' };
    const row: Omit<CallRow, 'id'> = {
      uuid: randomIds.uuid(),
      organizationId: ctx.organizationId,
      agentId,
      versionId,
      name: 'WR-TEXT-0A1B2C',
      mode: 'textchat',
      channel: 'text',
      direction: 'inbound',
      source: 'editor',
      state: 'ended',
      isTest: true,
      ...rehearsedNumbers(initialContext),
      initialContext,
      gatheredContext: { day: 'Tuesday' },
      usage: { llm: {}, call_duration_seconds: 41.6 },
      logs: { realtime_feedback_events: [] },
      annotations: {},
      judging: null,
      disposition: 'user_qualified',
      tags: ['user_speech'],
      publicToken: null,
      transcriptAvailable: false,
      createdAt: at(0),
      startedAt: at(1),
      transcriptErasedAt: null,
      variablesErasedAt: null,
      answeredAt: null,
      endedAt: at(42),
      durationSeconds: 41.6,
      latencyP95Ms: 1070,
      recordedAt: null,
      costUsd: null,
      campaignId: null,
      ...change,
    };
    return await insertRow(database.db.manager, calls, row);
  }

  const read = (callId: number, who = ctx, ofAgent = agentId) =>
    getCall({ ctx: who, publicUrl, input: { agentId: ofAgent, callId } });
  const list = (input: Partial<ListCallsInput> = {}, who = ctx) =>
    listCalls({
      ctx: who,
      publicUrl,
      input: { agentId, page: 1, limit: 50, sortBy: 'created_at', sortOrder: 'desc', filters: [], ...input },
    });

  const finish = (call: CallRow, answeredAt: Date | null) =>
    finalizeCall({
      deps: { ...ctx, prices: undefined, publicUrl: 'http://parlance.test', reportCallEnd },
      input: {
        callId: call.id,
        organizationId: ctx.organizationId,
        reason: answeredAt === null ? 'no-answer' : 'user_hangup',
        checkpoint: initialCheckpoint,
        extractions: [],
        failedExtractions: [],
        spoken: {
          word: answeredAt === null ? 'no-answer' : null,
          hasFailedToStart: false,
          answeredAt: answeredAt?.toISOString() ?? null,
          endedAt: at(40).toISOString(),
          legs: [],
        },
      },
    });

  describe('filters of the list', () => {
    let owned: { agentId: number; versionId: number };
    beforeAll(async () => {
      owned = await newAgent();
      await insertCall({
        ...owned,
        name: 'first',
        createdAt: at(1),
        startedAt: at(1),
        endedAt: at(11),
        durationSeconds: 10,
        disposition: 'user_qualified',
      });
      await insertCall({
        ...owned,
        name: 'second',
        createdAt: at(2),
        startedAt: at(2),
        endedAt: at(32),
        durationSeconds: 30,
        disposition: 'it\'s "busy"',
        costUsd: 0.00123456,
      });
      await insertCall({
        ...owned,
        name: 'live',
        createdAt: at(3),
        startedAt: at(3),
        endedAt: null,
        durationSeconds: null,
        state: 'talking',
        disposition: null,
        usage: {},
      });
      await insertCall({
        ...owned,
        name: 'refused',
        createdAt: at(4),
        startedAt: null,
        endedAt: at(4),
        durationSeconds: null,
        state: 'refused',
        disposition: null,
        usage: {},
      });
    });

    const filter = (attribute: string, value: unknown) => ({ attribute, type: 'any', value });
    test.each<[string, object[], string[]]>([
      ['nothing', [], ['first', 'second', 'live', 'refused']],
      [
        'a range of dates, both ends included',
        [filter('dateRange', { from: at(2).toISOString(), to: '2026-11-21T11:00:03+01:00' })],
        ['second', 'live'],
      ],
      [
        'a range of dates without an end',
        [filter('dateRange', { from: at(3).toISOString(), to: null })],
        ['live', 'refused'],
      ],
      [
        'dispositions, quotes included',
        [filter('dispositionCode', { codes: ['it\'s "busy"', 'no-answer'] })],
        ['second'],
      ],
      ['no disposition', [filter('dispositionCode', { codes: [] })], ['first', 'second', 'live', 'refused']],
      ['a duration, both ends included', [filter('duration', { min: 10, max: 29.5 })], ['first']],
      ['ended calls', [filter('status', { status: 'completed' })], ['first', 'second', 'refused']],
      ['calls under way', [filter('status', { status: 'in_progress' })], ['live']],
      [
        'a cost in Dograh tokens, both ends included',
        [filter('tokenUsage', { min: 0.123456, max: 0.123456 })],
        ['second'],
      ],
      ['a cost above all', [filter('tokenUsage', { min: 0.1235 })], []],
      [
        'a cost of zero, which includes unknown costs but not live calls',
        [filter('tokenUsage', { max: 0 })],
        ['first', 'refused'],
      ],
      [
        'several at once',
        [
          filter('status', { status: 'completed' }),
          filter('duration', { min: 5 }),
          filter('duration', { max: 20 }),
        ],
        ['first'],
      ],
    ])(
      'by %s: returns the matching calls, their number, and the filters as they were sent',
      async (_name, filters, names) => {
        const page = await list({
          agentId: owned.agentId,
          sortOrder: 'asc',
          filters: readFilters(JSON.stringify(filters), 'agent', { actor: { kind: 'system', name: 'test' } }),
        });
        expect(page.runs.map(({ name }) => name)).toEqual(names);
        expect(page).toMatchObject({ total_count: names.length, applied_filters: filters });
      },
    );
  });

  test('shows a known cost in Dograh tokens and in USD, and an unknown one as 0 tokens', async () => {
    expect((await read((await insertCall({ costUsd: 0.00123456 })).id)).cost_info).toEqual({
      dograh_token_usage: 0.123456,
      charge_usd: 0.00123456,
      call_duration_seconds: 42,
    });
    expect((await read((await insertCall({ costUsd: null })).id)).cost_info).toEqual({
      dograh_token_usage: 0,
      call_duration_seconds: 42,
    });
  });

  test('a read returns every field of the run record', async () => {
    const call = await insertCall();
    expect(await read(call.id)).toMatchObject({
      id: call.id,
      workflow_id: agentId,
      name: 'WR-TEXT-0A1B2C',
      mode: 'textchat',
      created_at: '2026-11-21T10:00:00.000000Z',
      is_completed: true,
      state: 'completed',
      transcript_url: null,
      recording_url: null,
      user_recording_url: null,
      bot_recording_url: null,
      transcript_public_url: null,
      recording_public_url: null,
      user_recording_public_url: null,
      bot_recording_public_url: null,
      public_access_token: null,
      cost_info: { dograh_token_usage: 0, call_duration_seconds: 42 },
      usage_info: { llm: {}, call_duration_seconds: 41.6 },
      definition_id: versionId,
      initial_context: { caller_number: '15551234567', name: 'Maria' },
      gathered_context: { day: 'Tuesday' },
      call_type: 'inbound',
      logs: { realtime_feedback_events: [] },
      annotations: {},
      caller_number: '15551234567',
      called_number: null,
      phone_number: null,
      disposition: 'user_qualified',
      call_duration_seconds: 42,
    });
  });

  test.each([
    ['pending', 'initialized', false],
    ['admitted', 'initialized', false],
    ['talking', 'running', false],
    ['ending', 'running', false],
    ['ended', 'completed', true],
    ['refused', 'completed', true],
  ] as const)('the state %s is %s on the wire', async (state, shown, isCompleted) => {
    expect(await read((await insertCall({ state })).id)).toMatchObject({
      state: shown,
      is_completed: isCompleted,
    });
  });

  test('values that are not text and inherited keys are not phone numbers', async () => {
    const initialContext: Record<string, unknown> = JSON.parse(
      '{"caller_number":5,"called_number":{"a":1},"__proto__":{"phone_number":"1"}}',
    );
    expect(await read((await insertCall({ initialContext })).id)).toMatchObject({
      caller_number: null,
      called_number: null,
      phone_number: null,
    });
  });

  test('a call with a transcript gets its public token on the first read and keeps it', async () => {
    const call = await insertCall({ transcriptAvailable: true });
    const [first, second] = await Promise.all([read(call.id), read(call.id)]);
    expect(first.public_access_token).toMatch(/^[0-9a-f-]{36}$/);
    expect(second.public_access_token).toBe(first.public_access_token);
    expect(first.transcript_url).toBe(`transcripts/${call.id}.txt`);
    expect(first.transcript_public_url).toBe(
      `https://voice.example.test/api/v1/public/download/workflow/${first.public_access_token}/transcript`,
    );
    expect(
      await findCallByPublicToken({ db: database.db, token: String(first.public_access_token) }),
    ).toEqual({
      callId: call.id,
      organizationId: ctx.organizationId,
      hasTranscript: true,
      hasRecording: false,
      transcriptErasedAt: null,
    });
  });

  test.each(['', 'nonsense', 'é😀', 'x'.repeat(10_000), '00000000-0000-4000-8000-000000000000'])(
    'the token %.20s finds no call',
    async (token) => {
      expect(await findCallByPublicToken({ db: database.db, token })).toBeNull();
    },
  );

  test('a read refuses other organizations, other agents, and impossible ids', async () => {
    const call = await insertCall();
    const { agentId: other } = await newAgent();
    for (const act of [
      () => read(call.id, stranger),
      () => read(call.id, ctx, other),
      () => read(-1),
      () => read(1e30),
      () => read(call.id, ctx, 2 ** 53),
    ])
      await expect(act()).rejects.toThrow('Workflow run not found');
  });

  test('the run of a campaign has a public token as soon as it has ended, any other without webhooks only once it is read', async () => {
    const campaignId = await insertCampaign(database.db, ctx.organizationId, []);
    for (const [campaign, token] of [
      [campaignId, expect.any(String)],
      [null, null],
    ] as const) {
      const call = await insertCall({
        ...(await newAgent(threeStepDefinition({ webhook: false }))),
        channel: 'phone',
        mode: 'telnyx',
        campaignId: campaign,
        state: 'talking',
        endedAt: null,
      });
      await finish(call, null);
      const [run] = (await list({ agentId: call.agentId })).runs;
      expect(run).toMatchObject({ id: call.id, public_access_token: token });
    }
  });

  test('filters, order and sums count the seconds that a phone call shows, without its ringing', async () => {
    const own = await newAgent();
    const phoned = async (answeredAt: Date | null) => {
      const call = await insertCall({
        ...own,
        mode: 'telnyx',
        channel: 'phone',
        direction: 'outbound',
        state: 'talking',
        startedAt: at(0),
        endedAt: null,
        durationSeconds: null,
        usage: {},
      });
      await finish(call, answeredAt);
      return call.id;
    };
    const unanswered = await phoned(null);
    const short = await phoned(at(35));
    const long = await phoned(at(20));

    const duration = (value: unknown) =>
      readFilters(JSON.stringify([{ attribute: 'duration', value }]), 'agent', {
        actor: { kind: 'system', name: 'test' },
      });
    const order = async (input: Partial<ListCallsInput>) =>
      (await list({ agentId: own.agentId, ...input })).runs.map(({ id, call_duration_seconds: shown }) => [
        id,
        shown,
      ]);
    expect(await order({ sortBy: 'duration' })).toEqual([
      [long, 20],
      [short, 5],
      [unanswered, 0],
    ]);
    expect(await order({ filters: duration({ min: 4, max: 6 }) })).toEqual([[short, 5]]);
    expect(await order({ filters: duration({ max: 0 }) })).toEqual([[unanswered, 0]]);
    const ofAgent = readFilters(
      JSON.stringify([{ attribute: 'workflowId', value: { value: own.agentId } }]),
      'organization',
      { actor: { kind: 'system', name: 'test' } },
    );
    const usage = await listUsageRuns({
      ctx,
      publicUrl,
      input: { page: 1, limit: 50, sortBy: 'created_at', sortOrder: 'desc', filters: ofAgent },
    });
    expect(usage).toMatchObject({ total_count: 3, total_duration_seconds: 25 });
  });

  test('a list is paged and sorted by creation or duration, without logs', async () => {
    const own = await newAgent();
    const ids: number[] = [];
    for (const [created, seconds] of [
      [10, 30],
      [11, 10],
      [12, 20],
    ] as const) {
      const { id } = await insertCall({
        agentId: own.agentId,
        versionId: own.versionId,
        createdAt: at(created),
        startedAt: at(20),
        endedAt: at(20 + seconds),
        durationSeconds: seconds,
      });
      ids.push(id);
    }
    const [first, second, third] = ids;
    const order = async (input: Partial<ListCallsInput>) =>
      (await list({ agentId: own.agentId, ...input })).runs.map(({ id }) => id);
    expect(await order({})).toEqual([third, second, first]);
    expect(await order({ sortOrder: 'asc' })).toEqual([first, second, third]);
    expect(await order({ sortBy: 'duration', sortOrder: 'desc' })).toEqual([first, third, second]);
    expect(await order({ sortBy: 'duration', sortOrder: 'asc' })).toEqual([second, third, first]);
    expect(await list({ agentId: own.agentId, page: 2, limit: 2 })).toMatchObject({
      runs: [{ id: first, logs: null }],
      total_count: 3,
      page: 2,
      limit: 2,
      total_pages: 2,
    });
    expect(await order({ page: 99 })).toEqual([]);
    expect(await order({ page: 2 ** 52, limit: 100 })).toEqual([]);
    expect(await order({ page: 1e300, limit: 100 })).toEqual([]);
  });

  test('a call by phone that goes on has what its carrier has told so far, and other calls have not', async () => {
    const live = { state: 'pending', channel: 'phone', logs: {}, endedAt: null } as const;
    const call = await insertCall(live);
    const told = async (type: string, second: number) =>
      await insertRow(database.db.manager, carrierEvents, {
        organizationId: ctx.organizationId,
        callId: call.id,
        eventId: randomIds.uuid(),
        eventType: type,
        occurredAt: at(second),
        raw: { data: { payload: { call_control_id: 'c1' } } },
        receivedAt: at(second),
        deliveredAt: null,
      });
    const other = await insertCall(live);
    expect((await read(call.id)).logs).toEqual({});
    await told('call.answered', 3);
    await told('call.initiated', 1);
    await told('streaming.started', 4);
    expect((await read(call.id)).logs).toMatchObject({
      telephony_status_callbacks: [
        { status: 'initiated', timestamp: at(1).toISOString(), call_id: 'c1' },
        { status: 'in-progress', timestamp: at(3).toISOString() },
      ],
    });
    expect((await read(other.id)).logs).toEqual({});
    await updateRows(database.db.manager, calls, {
      where: { id: call.id, organizationId: ctx.organizationId },
      change: { state: 'ended' },
    });
    expect((await read(call.id)).logs).toEqual({});
  });

  test('a spoken call has when its media began and when the agent was first heard, also before its first turn is committed', async () => {
    const call = await insertCall({ state: 'talking', channel: 'phone', logs: {}, endedAt: null });
    const { organizationId } = ctx;
    const place = { organizationId, callId: call.id };
    const sound = async () => (await read(call.id)).logs?.['sound'];
    await insertRow(database.db.manager, callSeats, {
      ...place,
      generation: 1,
      hostId: randomIds.uuid(),
      tokenEncrypted: '',
      tokenUsedAt: at(2),
      claimedAt: at(1),
      mediaBeganAt: null,
      releasedAt: null,
    });
    expect(await sound()).toBeUndefined();
    await updateRows(database.db.manager, callSeats, { where: place, change: { mediaBeganAt: at(2) } });
    expect(await sound()).toEqual({ media_began_at: at(2).toISOString(), first_sound_at: null });
    for (const [position, sentAt] of [null, at(4), at(3)].entries())
      await insertRow(database.db.manager, journalEntries, {
        ...place,
        generation: 1,
        turnIndex: 0,
        visitIndex: 0,
        toolRound: 0,
        position,
        kind: 'clause',
        text: 'Hello.',
        data: {},
        sentAt,
        playedAt: null,
        heardText: null,
        writtenAt: at(4),
      });
    expect(await sound()).toMatchObject({ first_sound_at: at(3).toISOString() });
    const spoken = (second: number) => ({
      type: 'rtf-bot-started-speaking',
      payload: {},
      timestamp: at(second).toISOString(),
    });
    await deleteRows(database.db.manager, journalEntries, place);
    await updateRows(database.db.manager, calls, {
      where: { id: call.id, organizationId },
      change: { state: 'ended', logs: { realtime_feedback_events: [spoken(3), spoken(9)] } },
    });
    expect(await sound()).toEqual({
      media_began_at: at(2).toISOString(),
      first_sound_at: at(3).toISOString(),
    });
  });

  test('an unknown agent, or one of another organization, has no calls', async () => {
    await insertCall();
    const nothing = { runs: [], total_count: 0, total_pages: 0 };
    expect(await list({ agentId: 999_999_999 })).toMatchObject(nothing);
    expect(await list({ agentId: 2 ** 60 })).toMatchObject(nothing);
    expect(await list({}, stranger)).toMatchObject(nothing);
  });

  test('calls are counted on the agent', async () => {
    const own = await newAgent();
    await insertCall({ agentId: own.agentId, versionId: own.versionId });
    await insertCall({ agentId: own.agentId, versionId: own.versionId });
    expect(
      (await listAgents({ ctx, input: { states: ['active'] } })).find(({ id }) => id === own.agentId),
    ).toMatchObject({ total_runs: 2 });
  });

  describe('the transcript', () => {
    const line = (speaker: 'user' | 'assistant', text: string, second: number) => ({
      speaker,
      text,
      at: at(second).toISOString(),
      nodeId: 'start',
      kind: 'utterance' as const,
    });

    async function say(
      call: CallRow,
      {
        branch = 0,
        turnIndex,
        lines,
        events = [],
        checkpoint = { ...initialCheckpoint, turnIndex, branch },
      }: Pick<TurnRow, 'turnIndex'> &
        Partial<Pick<TurnRow, 'branch' | 'events' | 'checkpoint'>> & { lines: ReturnType<typeof line>[] },
    ): Promise<void> {
      const row = {
        uuid: randomIds.uuid(),
        organizationId: ctx.organizationId,
        callId: call.id,
        branch,
        turnIndex,
        userText: null,
        userAt: null,
        replyText: null,
        replyAt: null,
        toolRounds: null,
        lines,
        events,
        usage: {},
        checkpoint,
        createdAt: at(5),
      };
      await insertRow(database.db.manager, turns, row);
    }

    async function end(call: CallRow, checkpoint: Partial<Checkpoint>): Promise<void> {
      const row = {
        callId: call.id,
        organizationId: ctx.organizationId,
        revision: 1,
        branch: 0,
        status: 'completed' as const,
        cursorTurnUuid: null,
        checkpoint: null,
        updatedAt: at(9),
      };
      await database.db.getRepository(textSessions).insert(row);
      await updateRows(database.db.manager, textSessions, {
        where: { callId: call.id, organizationId: ctx.organizationId },
        change: { checkpoint: { ...initialCheckpoint, ...checkpoint } },
      });
    }

    test('has one line per utterance, in order, from live turns', async () => {
      const call = await insertCall();
      await say(call, {
        turnIndex: 1,
        lines: [line('user', 'Hello', 2), line('assistant', 'Two\nlines', 3)],
      });
      await say(call, { turnIndex: 0, lines: [line('assistant', 'Hi', 1)] });
      await say(call, { turnIndex: 2, lines: [line('user', 'Dropped by a rewind', 4)] });
      await say(call, { turnIndex: 2, branch: 1, lines: [line('user', 'Said instead', 5)] });
      await end(call, { turnIndex: 2, branch: 1 });
      expect(
        await renderTranscript({ db: database.db, callId: call.id, organizationId: ctx.organizationId }),
      ).toBe(
        [
          '[2026-11-21T10:00:01.000Z] assistant: Hi',
          '[2026-11-21T10:00:02.000Z] user: Hello',
          '[2026-11-21T10:00:03.000Z] assistant: Two lines',
          '[2026-11-21T10:00:05.000Z] user: Said instead',
          '',
        ].join('\n'),
      );
    });

    test('is not found by another organization', async () => {
      const call = await insertCall();
      await expect(
        renderTranscript({ db: database.db, callId: call.id, organizationId: stranger.organizationId }),
      ).rejects.toBeInstanceOf(NotFoundError);
    });

    test('of a call that goes on has its turns, what is said meanwhile, its node and its values', async () => {
      const { organizationId } = ctx;
      const call = await insertCall({
        state: 'talking',
        channel: 'phone',
        logs: {},
        gatheredContext: { provider: 'telnyx' },
        endedAt: null,
      });
      const place = { organizationId, callId: call.id };
      const live = (who = ctx, ofAgent = agentId) =>
        getLiveCall({ ctx: who, input: { agentId: ofAgent, callId: call.id } });
      const said = {
        type: 'rtf-bot-text',
        payload: { text: 'Hello.' },
        timestamp: at(2).toISOString(),
        turn: 0,
      };
      const asking = {
        ...initialCheckpoint,
        nodeId: 'ask',
        visitIndex: 1,
        turnIndex: 0,
        nodesVisited: ['Start', 'Ask'],
      };
      expect(await live()).toMatchObject({ state: 'running', current_node: null, events: [], running: [] });
      await say(call, { turnIndex: 0, lines: [], events: [said], checkpoint: asking });
      const found = async (turn: number, day: string, branch = 0) =>
        await insertRow(database.db.manager, extractions, {
          ...place,
          branch,
          visitIndex: turn,
          nodeId: 'ask',
          point: 'entry',
          throughTurnIndex: turn,
          throughLine: 0,
          values: { day },
          foundAt: at(3),
        });
      await found(0, 'Monday');
      await found(0, 'of a branch that was taken back', 1);
      const noted = async (position: number, entry: Partial<JournalEntryRow>) =>
        await insertRow(database.db.manager, journalEntries, {
          ...place,
          generation: 1,
          turnIndex: 1,
          visitIndex: 1,
          toolRound: 0,
          position,
          kind: 'clause',
          text: null,
          data: null,
          sentAt: null,
          playedAt: null,
          heardText: null,
          writtenAt: at(9),
          ...entry,
        });
      const words = {
        kind: 'utterance' as const,
        text: 'Tuesday.',
        data: { startedAt: at(3).toISOString(), endedAt: at(4).toISOString() },
      };
      await noted(0, { text: 'of a turn that is written', turnIndex: 0, sentAt: at(2) });
      // It ended the turn that is written, and belongs to the next one.
      await noted(1, {
        ...words,
        text: 'Hello?',
        turnIndex: 0,
        data: { startedAt: at(2).toISOString(), endedAt: at(3).toISOString() },
      });
      await noted(1, words);
      await noted(1, { ...words, generation: 2 });
      await noted(2, { text: 'Fine, I will', heardText: 'Fine,', sentAt: at(5), playedAt: at(6) });
      await noted(3, { text: 'Which hour?', sentAt: at(7) });
      await noted(4, { text: 'not sent yet' });
      await noted(5, { kind: 'decision', data: {} });
      const gathered = {
        provider: 'telnyx',
        day: 'Monday',
        extracted_variables: { day: 'Monday' },
        nodes_visited: ['Start', 'Ask'],
      };
      expect(await live()).toEqual({
        id: call.id,
        workflow_id: agentId,
        state: 'running',
        is_completed: false,
        current_node: 'Ask',
        gathered_context: gathered,
        events: [said],
        interventions: [],
        moves: [],
        running: [
          {
            ...heard('rtf-user-transcription', 2, {
              text: 'Hello?',
              final: true,
              end_timestamp: at(3).toISOString(),
            }),
            turn: 0,
          },
          heard('rtf-user-transcription', 3, {
            text: 'Tuesday.',
            final: true,
            end_timestamp: at(4).toISOString(),
          }),
          heard('rtf-bot-text', 5, { text: 'Fine,', end_timestamp: at(6).toISOString() }),
          heard('rtf-bot-text', 7, { text: 'Which hour?' }),
        ],
      });
      expect((await read(call.id)).gathered_context).toEqual(gathered);
      await expect(live(stranger)).rejects.toBeInstanceOf(NotFoundError);
      await expect(live(ctx, 999_999_999)).rejects.toBeInstanceOf(NotFoundError);
      await updateRows(database.db.manager, calls, {
        where: { id: call.id, organizationId },
        change: { state: 'ended', endedAt: at(20), logs: { realtime_feedback_events: [said] } },
      });
      expect(await live()).toMatchObject({
        is_completed: true,
        current_node: null,
        gathered_context: { provider: 'telnyx' },
        events: [said],
        running: [],
      });
    });

    const heard = (type: string, second: number, payload: object) => {
      const timestamp = at(second).toISOString();
      return { type, payload: { timestamp, ...payload }, timestamp, turn: 1 };
    };

    test('of a spoken call that goes on is in the log of its single read, turn by turn', async () => {
      const call = await insertCall({ state: 'talking', channel: 'phone', logs: {}, endedAt: null });
      const spoken = (turn: number) => ({
        type: 'rtf-bot-text',
        payload: { text: `${turn}` },
        timestamp: '',
        turn,
      });
      await say(call, { turnIndex: 1, lines: [], events: [spoken(1)] });
      await say(call, { turnIndex: 0, lines: [], events: [spoken(0)] });
      expect((await read(call.id)).logs).toEqual({ realtime_feedback_events: [spoken(0), spoken(1)] });
    });

    test('is made from the turns of a spoken call, which has no session', async () => {
      const call = await insertCall({ mode: 'telnyx', channel: 'phone', transcriptAvailable: true });
      await say(call, { turnIndex: 0, lines: [line('assistant', 'Hello, who is there?', 2)] });
      await say(call, { turnIndex: 1, lines: [line('user', 'Maria.', 3)] });
      expect(
        await renderTranscript({ db: database.db, callId: call.id, organizationId: ctx.organizationId }),
      ).toBe(
        '[2026-11-21T10:00:02.000Z] assistant: Hello, who is there?\n[2026-11-21T10:00:03.000Z] user: Maria.\n',
      );
    });
  });
});
