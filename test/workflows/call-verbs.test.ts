import { rehearsedNumbers } from '../../src/domain/call/call-numbers.ts';
import { reportCallEnd } from '../../src/services/campaigns/index.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { agents } from '../../src/db/tables/agents.ts';
import { calls } from '../../src/db/tables/calls.ts';
import { turns } from '../../src/db/tables/turns.ts';
import { textSessions } from '../../src/db/tables/text-sessions.ts';
import { insertRow, updateRows } from '../../src/db/rows.ts';
import { agentVersions } from '../../src/db/tables/agent-versions.ts';
import { initialCheckpoint } from '../../src/domain/call/checkpoint.ts';
import type { Line } from '../../src/domain/call/line.ts';
import { createAgent, findRunnableVersion } from '../../src/services/agents/index.ts';
import {
  admitCall,
  commitTurn,
  converse,
  finalizeCall,
  KeptScenes,
  noteFailedTurn,
  type CommitTurnInput,
  type ConversationDeps,
  type FinalizeDeps,
} from '../../src/services/calls/index.ts';
import type { ServiceContext } from '../../src/services/kernel/context.ts';
import { neverChosen } from '../support/admitted-call.ts';
import {
  createTestContext,
  createTestDatabase,
  bothDatabases,
  type TestDatabase,
} from '../support/database.ts';
import { threeStepDefinition } from '../support/definitions.ts';
import { FakeLlm } from '../support/fake-llm.ts';

/**
 * The service functions of the activities, on both database servers: each may run twice, because a worker may
 * die after its commit.
 */
describe.each(bothDatabases)('service functions of the conversation on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;
  let deps: ConversationDeps & FinalizeDeps;
  const llm = new FakeLlm(() => ({ text: 'A reply.' }));

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    ctx = await createTestContext(database.db);
    deps = {
      reportCallEnd,
      ...ctx,
      llm,
      model: 'test-model',
      customerLlms: neverChosen,
      publicUrl: 'http://parlance.test',
    };
  });

  afterAll(async () => {
    await database.drop();
  });

  const newAgent = async () =>
    (await createAgent({ ctx, input: { name: 'Agent', definition: threeStepDefinition() } })).id;

  async function newCall(initialContext: Record<string, unknown> = {}, ofAgent?: number) {
    const agentId = ofAgent ?? (await newAgent());
    const { version } = await findRunnableVersion(ctx.db.manager, ctx, agentId);
    const createdAt = ctx.clock.now();
    const call = await insertRow(ctx.db.manager, calls, {
      uuid: ctx.ids.uuid(),
      organizationId: ctx.organizationId,
      agentId,
      versionId: version.id,
      name: 'WR-TEXT-000000',
      mode: 'textchat',
      channel: 'text',
      direction: 'inbound',
      source: 'editor',
      state: 'pending',
      isTest: true,
      ...rehearsedNumbers({}),
      initialContext,
      gatheredContext: {},
      usage: {},
      logs: {},
      annotations: {},
      judging: null,
      disposition: null,
      tags: [],
      publicToken: null,
      transcriptAvailable: false,
      createdAt,
      startedAt: null,
      answeredAt: null,
      endedAt: null,
      durationSeconds: null,
      latencyP95Ms: null,
      recordedAt: null,
      costUsd: null,
      campaignId: null,
      transcriptErasedAt: null,
      variablesErasedAt: null,
    });
    await ctx.db.getRepository(textSessions).insert({
      callId: call.id,
      organizationId: ctx.organizationId,
      revision: 0,
      branch: 0,
      status: 'idle',
      cursorTurnUuid: null,
      checkpoint: null,
      updatedAt: createdAt,
    });
    return { callId: call.id, organizationId: ctx.organizationId, versionId: version.id };
  }

  const line = (speaker: Line['speaker'], text: string): Line => ({
    speaker,
    text,
    at: '2026-11-21T10:00:00.000Z',
    nodeId: 'start',
    kind: speaker === 'user' ? 'utterance' : 'reply',
  });

  function opening(ref: { callId: number; organizationId: number }): CommitTurnInput {
    const checkpoint = {
      ...initialCheckpoint,
      nodeId: 'start',
      visitIndex: 0,
      turnIndex: 0,
      nodesVisited: ['Start'],
      revision: 1,
    };
    return {
      ...ref,
      checkpoint,
      failures: 0,
      from: null,
      lines: [line('assistant', 'Hello {{name}} \uD800')],
      steps: [
        { nodeId: 'start', nodeName: 'Start', visitIndex: 0, lineCount: 1, usage: null, timings: null },
      ],
      isOver: false,
    };
  }

  test('a call is admitted once, and a repetition returns the same timestamp; a refused call is never admitted', async () => {
    const ref = await newCall();
    const first = await admitCall({ deps, input: ref });
    expect(first).toEqual({ kind: 'admitted', startedAt: expect.any(String) });
    expect(await admitCall({ deps, input: ref })).toEqual(first);
    const refused = await newCall();
    await ctx.db.getRepository(calls).update({ id: refused.callId }, { state: 'refused' });
    expect(await admitCall({ deps, input: refused })).toEqual({ kind: 'refused' });
    await expect(
      admitCall({ deps, input: { ...ref, organizationId: ref.organizationId + 1 } }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  // guarantee: turn-committed-once
  test('a turn that is committed twice, even at once, is stored once, byte for byte', async () => {
    const ref = await newCall();
    await admitCall({ deps, input: ref });
    await Promise.all([commitTurn({ deps, input: opening(ref) }), commitTurn({ deps, input: opening(ref) })]);
    await commitTurn({ deps, input: opening(ref) });
    const [turn, ...others] = await ctx.db.getRepository(turns).findBy({ callId: ref.callId });
    expect(others).toEqual([]);
    expect(turn?.lines).toEqual(opening(ref).lines);
    expect(await ctx.db.getRepository(textSessions).findOneByOrFail({ callId: ref.callId })).toMatchObject({
      revision: 1,
      status: 'idle',
      cursorTurnUuid: turn?.uuid,
    });
  });

  /** The step that answers the user after the opening. */
  async function conversing({ isPlain = true } = {}) {
    const ref = await newCall({ name: '{{name}}', __proto__: null });
    await admitCall({ deps, input: ref });
    await commitTurn({ deps, input: opening(ref) });
    const { checkpoint: before } = opening(ref);
    const input = {
      ...ref,
      step: {
        branch: 0,
        turnIndex: 1,
        visitIndex: 0,
        nodeId: 'start',
        entry: { kind: 'utterance' as const },
        mayMove: true,
        mayUseTools: true,
      },
      pendingLines: [line('user', 'Hi')],
      ifLast: {
        checkpoint: { ...before, turnIndex: 1, revision: 2 },
        failures: 0,
        from: { nodeId: 'start', nodeName: 'Start', visitIndex: 0 },
        nodeName: 'Start',
        steps: [],
        isOver: false,
        isPlain,
      },
    };
    const signal = new AbortController().signal;
    const attempt = async ({ isRepeated = false } = {}) =>
      await converse({ deps, input, signal, isRepeated });
    /** The turn of that index, by a process that keeps `scenes`. */
    const turn = async (turnIndex: number, scenes: KeptScenes) =>
      await converse({
        deps: { ...deps, scenes },
        input: {
          ...input,
          step: { ...input.step, turnIndex },
          pendingLines: [line('user', `Message ${turnIndex}`)],
          ifLast: { ...input.ifLast, checkpoint: { ...before, turnIndex, revision: turnIndex + 1 } },
        },
        signal,
        isRepeated: false,
      });
    const written = async () =>
      await ctx.db.getRepository(turns).findBy({ callId: ref.callId, turnIndex: 1 });
    return { ref, attempt, turn, written };
  }

  test('a reply is requested with the transcript so far, and one that ends its turn is written with it', async () => {
    const { attempt, written } = await conversing();
    expect(await attempt()).toMatchObject({
      lines: [{ speaker: 'assistant', text: 'A reply.', nodeId: 'start', kind: 'reply' }],
      chosenEdge: null,
      commitMs: expect.any(Number),
    });
    expect(llm.requests.at(-1)).toMatchObject({
      messages: [
        { role: 'system', content: 'You are at the start.' },
        { role: 'assistant', content: 'Hello {{name}} \uD800' },
        { role: 'user', content: 'Hi' },
      ],
      tools: [{ name: 'go_on', description: 'the user says go on' }],
    });
    expect(await written()).toMatchObject([
      { userText: 'Hi', replyText: 'A reply.', lines: [{ text: 'Hi' }, { text: 'A reply.' }] },
    ]);
  });

  // guarantee: committed-reply-not-asked-again
  test('an attempt after a lost answer finds the written reply, and does not ask the model again', async () => {
    const { attempt, written } = await conversing();
    const first = await attempt();
    const asked = llm.requests.length;
    expect(await attempt({ isRepeated: true })).toMatchObject({ lines: first.lines, commitMs: null });
    expect(llm.requests).toHaveLength(asked);
    expect(await written()).toHaveLength(1);
  });

  test.each([true, false])(
    'of two attempts at once one writes the turn, and both answer with its lines (plain: %s)',
    async (isPlain) => {
      const { attempt, written } = await conversing({ isPlain });
      const answers = await Promise.all([attempt(), attempt()]);
      const [turn, ...others] = await written();
      expect(others).toEqual([]);
      expect(answers.map(({ lines }) => lines)).toEqual([turn?.lines.slice(1), turn?.lines.slice(1)]);
    },
  );

  const prompted = () =>
    llm.requests
      .at(-1)
      ?.messages.slice(1)
      .map(({ content }) => content);

  // guarantee: kept-scene-follows-its-turn
  test('a process reads a conversation anew only if another one has taken a turn', async () => {
    const { ref, turn } = await conversing();
    const [mine, others] = [new KeptScenes(ctx.clock), new KeptScenes(ctx.clock)];
    await turn(1, mine);
    await turn(2, others);
    await turn(3, mine);
    const said = ['Hello {{name}} \uD800', 'Message 1', 'A reply.', 'Message 2', 'A reply.', 'Message 3'];
    expect(prompted()).toEqual(said);
    await ctx.db.getRepository(turns).update({ callId: ref.callId }, { lines: [] });
    await turn(4, mine);
    expect(prompted()).toEqual([...said, 'A reply.', 'Message 4']);
  });

  const failure = (ref: { callId: number; organizationId: number }) => ({
    ...ref,
    failures: 1,
    code: 'provider_failed',
    usages: [],
    failed: { branch: 0, turnIndex: 1, nodeId: 'start', nodeName: 'Start', error: 'The model failed' },
  });

  // guarantee: failed-turn-is-not-committed-later
  test.each([true, false])(
    'a late attempt does not write a turn that was recorded as failed (plain: %s)',
    async (isPlain) => {
      const { ref, attempt, written } = await conversing({ isPlain });
      expect(await noteFailedTurn({ deps, input: failure(ref) })).toBeNull();
      await expect(attempt()).rejects.toMatchObject({ message: 'The turn was recorded as failed' });
      expect(await written()).toEqual([]);
    },
  );

  // guarantee: committed-turn-is-no-failure
  test('a turn that a lost worker has written is not recorded as failed', async () => {
    const { ref, attempt } = await conversing();
    const { lines } = await attempt();
    expect(await noteFailedTurn({ deps, input: failure(ref) })).toEqual([line('user', 'Hi'), ...lines]);
    expect(await ctx.db.getRepository(textSessions).findOneByOrFail({ callId: ref.callId })).toMatchObject({
      revision: 2,
      status: 'idle',
    });
  });

  // guarantee: call-record-completed-once
  test('a record that is completed twice keeps one disposition, one timestamp and one token', async () => {
    const ref = await newCall();
    await admitCall({ deps, input: ref });
    await commitTurn({ deps, input: opening(ref) });
    const input = {
      ...ref,
      reason: 'user_hangup' as const,
      checkpoint: { ...opening(ref).checkpoint, revision: 2 },
      extractions: [],
      failedExtractions: [],
    };
    const [first, second] = await Promise.all([
      finalizeCall({ deps, input }),
      finalizeCall({ deps, input: { ...input, reason: 'system_cancelled' } }),
    ]);
    expect(second).toEqual(first);
    expect(first).toMatchObject({ webhooks: 1 });
    const row = await ctx.db.getRepository(calls).findOneByOrFail({ id: ref.callId });
    await finalizeCall({ deps, input });
    expect(await ctx.db.getRepository(calls).findOneByOrFail({ id: ref.callId })).toEqual(row);
    expect(row).toMatchObject({
      state: 'ended',
      publicToken: expect.any(String),
      gatheredContext: { nodes_visited: ['Start'], call_disposition: first.disposition },
    });
  });

  test('the agent lists every disposition of calls that end at once, and a call with a known one waits for no other call', async () => {
    const agentId = await newAgent();
    const talked = async () => {
      const ref = await newCall({}, agentId);
      await admitCall({ deps, input: ref });
      await commitTurn({ deps, input: opening(ref) });
      return {
        ...ref,
        checkpoint: { ...opening(ref).checkpoint, revision: 2 },
        extractions: [],
        failedExtractions: [],
      };
    };
    const [one, two, three, four] = [await talked(), await talked(), await talked(), await talked()];
    const ends = [
      { ...one, reason: 'user_hangup' },
      { ...two, reason: 'system_cancelled' },
      { ...three, reason: 'unexpected_error' },
    ] as const;
    await Promise.all(ends.map((input) => finalizeCall({ deps, input })));
    const { dispositionCodes } = await ctx.db.getRepository(agents).findOneByOrFail({ id: agentId });
    expect(dispositionCodes.toSorted()).toEqual(['system_cancelled', 'unexpected_error', 'user_hangup']);

    const ended = await ctx.db.transaction(async (tx) => {
      await tx.getRepository(agents).findOne({ where: { id: agentId }, lock: { mode: 'pessimistic_write' } });
      return await finalizeCall({ deps, input: { ...four, reason: 'user_hangup' } });
    });
    expect(ended).toMatchObject({ disposition: 'user_hangup' });
  });

  test('fields of an external PBX are read from gathered_context, by the settings of the pinned version', async () => {
    const ref = await newCall();
    await admitCall({ deps, input: ref });
    await commitTurn({ deps, input: opening(ref) });
    const mapping = (context_path: string, destination_field: string) => ({
      context_path,
      destination_field,
    });
    const settings = {
      external_pbx_field_mappings: [
        mapping('day', 'f_day'),
        mapping('gathered_context.call_disposition', 'f_end'),
        mapping('absent', 'f_absent'),
        mapping('blank', 'f_blank'),
      ],
    };
    await updateRows(ctx.db.manager, agentVersions, {
      where: { id: ref.versionId, organizationId: ref.organizationId },
      change: { settings },
    });
    const place = {
      nodeId: 'start',
      visitIndex: 0,
      point: 'end' as const,
      throughTurnIndex: 0,
      throughLine: 1,
      branch: 0,
      usage: null,
    };
    await finalizeCall({
      deps,
      input: {
        ...ref,
        reason: 'user_hangup',
        checkpoint: opening(ref).checkpoint,
        extractions: [{ ...place, values: { day: ' Monday ', blank: ' ' } }],
        failedExtractions: [],
      },
    });
    expect(await ctx.db.getRepository(calls).findOneByOrFail({ id: ref.callId })).toMatchObject({
      gatheredContext: { external_pbx_fields: { f_day: 'Monday', f_end: 'user_hangup' } },
    });
  });

  test('an extracted call_disposition replaces the reason and becomes a tag', async () => {
    const ref = await newCall();
    await admitCall({ deps, input: ref });
    await commitTurn({ deps, input: opening(ref) });
    const place = {
      nodeId: 'start',
      visitIndex: 0,
      point: 'end' as const,
      throughTurnIndex: 0,
      throughLine: 1,
      branch: 0,
      usage: null,
    };
    const values = { call_disposition: 'Call back', tag_mood: 'glad' };
    const ended = await finalizeCall({
      deps,
      input: {
        ...ref,
        reason: 'user_hangup',
        checkpoint: opening(ref).checkpoint,
        extractions: [{ ...place, values }],
        failedExtractions: [],
      },
    });
    expect(ended.disposition).toBe('Call back');
    expect(await ctx.db.getRepository(calls).findOneByOrFail({ id: ref.callId })).toMatchObject({
      disposition: 'Call back',
      tags: ['Call back', 'glad'],
      gatheredContext: { mapped_call_disposition: 'Call back' },
    });
  });
});
