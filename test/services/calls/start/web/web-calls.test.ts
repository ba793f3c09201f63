import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { callSeats } from '../../../../../src/db/tables/call-seats.ts';
import { calls, type CallState } from '../../../../../src/db/tables/calls.ts';
import { mediaHosts, type MediaHostRow } from '../../../../../src/db/tables/media-hosts.ts';
import { InvariantError, UnavailableError } from '../../../../../src/domain/errors.ts';
import { createTickets } from '../../../../../src/providers/secrets/tickets.ts';
import { createAgent, updateAgent } from '../../../../../src/services/agents/index.ts';
import {
  admitCall,
  createCall,
  loadSeatedScene,
  takeWebSeat,
  offerWebCall,
  startWebCall,
} from '../../../../../src/services/calls/index.ts';
import type { ServiceContext } from '../../../../../src/services/kernel/context.ts';
import { readWebCallToken } from '../../../../../src/services/media/index.ts';
import { hasFreeLine } from '../../../../../src/services/calls/start/free-line.ts';
import { promptOf } from '../../../../../src/services/calls/turns/prompt.ts';
import type { CallInput } from '../../../../../src/temporal/port.ts';
import { conversationDeps } from '../../../../support/admitted-call.ts';
import {
  createTestContext,
  createTestDatabase,
  databases,
  testSecrets,
  type TestDatabase,
} from '../../../../support/database.ts';
import { edge, node } from '../../../../support/definitions.ts';
import { insertOpenHost } from '../../../../support/media/open-host.ts';
import { insertPhoneCall } from '../../../../support/media/phone-call.ts';

const tickets = createTickets(testSecrets);
const opening = {
  branch: 0,
  turnIndex: 0,
  visitIndex: 0,
  nodeId: 'start',
  entry: { kind: 'opening' },
  mayMove: true,
  mayUseTools: true,
} as const;

describe.each(databases)('calls in a browser, on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;
  beforeAll(async () => {
    database = await createTestDatabase(kind);
  });
  afterAll(async () => await database.drop());
  beforeEach(async () => {
    ctx = await createTestContext(database.db);
    await database.db.getRepository(mediaHosts).clear();
  });

  const call = { callId: 7, organizationId: 3, agentId: 5 };
  const offer = async () => await offerWebCall(ctx.db.manager, { tickets, clock: ctx.clock, call });
  const host = async (name: string, changes: Partial<MediaHostRow> = {}) =>
    await insertOpenHost(ctx.db, { publicUrl: `wss://${name}.example.test/`, ...changes });
  const rowOf = async (callId: number) => await ctx.db.getRepository(calls).findOneByOrFail({ id: callId });

  /** A call that waits for its browser. */
  async function made(changes: Partial<{ state: CallState }> = {}) {
    const { callId, agentId, organizationId } = await insertPhoneCall(ctx, {
      mode: 'web',
      channel: 'web',
      direction: 'inbound',
      source: 'editor',
      state: 'created',
      isTest: true,
      startedAt: null,
      ...changes,
    });
    return { callId, agentId, organizationId };
  }
  const take = async (
    wanted: Awaited<ReturnType<typeof made>>,
    limits?: { calls: number; inboundShare: number },
  ) =>
    await takeWebSeat({
      deps: { db: ctx.db, secrets: testSecrets, clock: ctx.clock, limits },
      call: wanted,
      hostId: (await host('taken')).hostId,
    });

  test('are offered at the host with the fewest calls', async () => {
    await host('busy', { liveCalls: 4 });
    await host('quiet', { liveCalls: 1 });
    const { url, token, expires_in: expiresIn } = await offer();
    expect({ url, expiresIn }).toEqual({
      url: 'wss://quiet.example.test/api/v1/ws/call/5/7',
      expiresIn: 120,
    });
    expect(readWebCallToken({ tickets, clock: ctx.clock, token })).toEqual(call);
  });

  test.each<[string, Partial<MediaHostRow>]>([
    ['is lost', { lostAt: new Date() }],
    ['drains', { isDraining: true }],
    ['has not renewed its lease', { leaseExpiresAt: new Date(Date.now() - 60_000) }],
    ['is full', { liveCalls: 10, maxCalls: 10 }],
  ])('are not offered at a host that %s', async (_what, changes) => {
    await host('away', changes);
    await expect(offer()).rejects.toThrow(UnavailableError);
  });

  test('are not created when no host takes calls', async () => {
    const { agentId } = await insertPhoneCall(ctx);
    const before = await ctx.db.getRepository(calls).countBy({ organizationId: ctx.organizationId });
    await expect(
      createCall({ ctx, deps: { tickets }, input: { agentId, mode: 'web', name: 'x', initialContext: {} } }),
    ).rejects.toThrow('No media host takes calls now');
    expect(await ctx.db.getRepository(calls).countBy({ organizationId: ctx.organizationId })).toBe(before);
  });

  test('tell the model what the request gave in place of the test values', async () => {
    await host('open');
    const definition = {
      nodes: [
        node('start', 'startCall', { name: 'Start', prompt: 'Greet {{first_name}} of {{city}}.' }),
        node('bye', 'endCall', { name: 'Bye', prompt: 'Say goodbye.' }),
      ],
      edges: [edge('e1', 'start', 'bye', 'done')],
    };
    const { id: agentId } = await createAgent({ ctx, input: { name: 'Test agent', definition } });
    const testValues = { first_name: 'nobody', city: 'Oslo' };
    await updateAgent({ ctx, input: { agentId, testValues } });
    const { id: callId } = await createCall({
      ctx,
      deps: { tickets },
      input: { agentId, mode: 'web', name: 'x', initialContext: { first_name: 'Otto' } },
    });
    const { organizationId } = ctx;
    await take({ callId, agentId, organizationId });
    const deps = conversationDeps(ctx);
    await admitCall({ deps, input: { callId, organizationId } });
    const scene = await loadSeatedScene({ deps, input: { callId, organizationId } });
    const { request } = promptOf({ scene, step: opening, summary: null, exchanges: [], tools: [] });
    expect(request.messages[0]).toEqual({ role: 'system', content: 'Greet Otto of Oslo.' });
  });

  // guarantee: web-call-token-starts-once
  test('begin once, by the first request', async () => {
    const waiting = await made();
    const answers = await Promise.all([1, 2, 3].map(() => take(waiting)));
    expect(answers.filter((each) => each.kind === 'opened')).toEqual([{ kind: 'opened', generation: 1 }]);
    expect(answers.filter((each) => each.kind === 'refused')).toEqual([
      { kind: 'refused', reason: 'taken' },
      { kind: 'refused', reason: 'taken' },
    ]);
    expect(await rowOf(waiting.callId)).toMatchObject({ state: 'pending' });
    expect(await ctx.db.getRepository(callSeats).findOneByOrFail({ callId: waiting.callId })).toMatchObject({
      generation: 1,
      tokenUsedAt: expect.any(Date),
      releasedAt: null,
    });
  });

  test.each<[CallState, string]>([
    ['pending', 'taken'],
    ['talking', 'taken'],
    ['ended', 'over'],
    ['refused', 'over'],
  ])('do not begin when they are %s', async (state, reason) => {
    const waiting = await made({ state });
    expect(await take(waiting)).toEqual({ kind: 'refused', reason });
    expect(await rowOf(waiting.callId)).toMatchObject({ state });
  });

  test('are unknown to other organizations', async () => {
    const [mine, theirs] = [
      await made(),
      await insertPhoneCall(await createTestContext(database.db), { state: 'created' }),
    ];
    expect(await take({ ...theirs, organizationId: mine.organizationId })).toEqual({
      kind: 'refused',
      reason: 'unknown',
    });
    expect(await take({ ...mine, agentId: theirs.agentId })).toEqual({ kind: 'refused', reason: 'unknown' });
  });

  test('share the maximum with phone calls: a call above it waits and begins when a line is free', async () => {
    const limits = { calls: 2, inboundShare: 1 };
    const [byPhone, first, second] = [
      await insertPhoneCall(ctx, { state: 'talking' }),
      await made(),
      await made(),
    ];
    expect(await take(first, limits)).toMatchObject({ kind: 'opened' });
    expect(await take(second, limits)).toEqual({ kind: 'refused', reason: 'limit' });
    expect(await rowOf(second.callId)).toMatchObject({ state: 'created' });
    expect(await ctx.db.transaction((tx) => hasFreeLine(tx, ctx, { limits, direction: 'outbound' }))).toBe(
      false,
    );
    expect(await ctx.db.transaction((tx) => hasFreeLine(tx, ctx, { limits, direction: 'inbound' }))).toBe(
      true,
    );
    await ctx.db.getRepository(calls).update({ id: byPhone.callId }, { state: 'ended' });
    expect(await take(second, limits)).toMatchObject({ kind: 'opened' });
  });

  test('start at the host that has their socket, with the maximum duration of their version', async () => {
    const [waiting, at, started] = [
      await made({ state: 'pending' }),
      { hostId: 'h', hostQueue: 'parlance-media-h' },
      [] as CallInput[],
    ];
    const { versionId } = await rowOf(waiting.callId);
    await updateAgent({ ctx, input: { agentId: waiting.agentId, settings: { max_call_duration: 90 } } });
    await ctx.db.query('UPDATE agent_versions SET settings = ? WHERE id = ?', [
      JSON.stringify({ max_call_duration: 45 }),
      versionId,
    ]);
    await startWebCall({
      deps: { ...ctx, calls: { startCall: (input) => Promise.resolve(void started.push(input)) } },
      call: waiting,
      host: at,
    });
    expect(started).toMatchObject([
      {
        callId: waiting.callId,
        versionId,
        isTest: true,
        source: 'editor',
        channel: {
          kind: 'web',
          direction: 'inbound',
          maxDurationMs: 45_000,
          configurationId: null,
          phoneNumberId: null,
          detectsMachines: false,
          host: at,
        },
      },
    ]);
  });

  // guarantee: unstartable-web-call-never-runs
  test.each([
    ['Temporal is away', new UnavailableError('Temporal is away', { dependency: 'temporal' })],
    ['a bug', new InvariantError('a bug')],
  ])('are refused before the error when they cannot be started: %s', async (_, fault) => {
    const waiting = await made({ state: 'pending' });
    await expect(
      startWebCall({
        deps: { ...ctx, calls: { startCall: () => Promise.reject(fault) } },
        call: waiting,
        host: { hostId: 'h', hostQueue: 'q' },
      }),
    ).rejects.toThrow(fault);
    expect(await rowOf(waiting.callId)).toMatchObject({ state: 'refused', disposition: 'error' });
  });

  test('continue when their Workflow has admitted them meanwhile', async () => {
    const waiting = await made({ state: 'admitted' });
    await expect(
      startWebCall({
        deps: {
          ...ctx,
          calls: {
            startCall: () => Promise.reject(new UnavailableError('no answer', { dependency: 'temporal' })),
          },
        },
        call: waiting,
        host: { hostId: 'h', hostQueue: 'q' },
      }),
    ).rejects.toThrow('no answer');
    expect(await rowOf(waiting.callId)).toMatchObject({ state: 'admitted' });
  });
});
