import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { WebSocket } from 'ws';
import { readConfig } from '../../src/config/env.ts';
import { calls } from '../../src/db/tables/calls.ts';
import { mediaHosts } from '../../src/db/tables/media-hosts.ts';
import { samplesOf } from '../../src/domain/audio/pcm.ts';
import type { VoiceLeg } from '../../src/media/leg.ts';
import { composeStreams } from '../../src/media/compose.ts';
import { createFrameClock } from '../../src/media/playout/frame-clock.ts';
import { startMediaServer, type MediaServer } from '../../src/media/server/media-server.ts';
import { createSessions, type Sessions } from '../../src/media/sessions.ts';
import { createTickets } from '../../src/providers/secrets/tickets.ts';
import { noMetrics } from '../../src/runtime/metrics.ts';
import { createCall, startWebCall } from '../../src/services/calls/index.ts';
import { findOvertaken } from '../../src/services/media/index.ts';
import { testKeyRing, testSecrets } from '../support/database.ts';
import { threeStepDefinition } from '../support/definitions.ts';
import { says, type FakeMediaHost, type Script } from '../support/fake-media-host.ts';
import { quietLimits } from '../support/media/host.ts';
import { until } from '../support/until.ts';
import { createVoiceWorld, type VoiceWorld } from '../support/voice-world.ts';

/** Real sockets, seats and Workflows; the test itself provides the speech. */
describe('a call in a browser (contract 15.2, /ws/call)', () => {
  let world: VoiceWorld;
  let host: FakeMediaHost;
  let sessions: Sessions;
  let server: MediaServer;
  let watch: NodeJS.Timeout;

  beforeAll(async () => {
    world = await createVoiceWorld();
    await world.startWorker();
    host = await world.startHost(() => ({}));
    const { hostId, hostQueue } = host;
    const { db, clock } = world.base.ctx;
    sessions = createSessions({ limits: quietLimits });
    const deps = composeStreams({
      config: readConfig({ DATABASE_URL: 'mysql://unused', PARLANCE_ENCRYPTION_KEYS: testKeyRing }),
      hostId,
      sessions,
      clock: createFrameClock(),
      db,
      secrets: testSecrets,
      files: undefined,
      log: pino({ level: 'silent' }),
      metrics: noMetrics,
      isOpen: () => true,
      calls: world.starter,
      startWebCall: (call) =>
        startWebCall({ deps: { db, clock, calls: world.starter }, call, host: { hostId, hostQueue } }),
    });
    server = await startMediaServer({ deps, host: '127.0.0.1', port: 0 });
    await db
      .getRepository(mediaHosts)
      .update(
        { id: hostId },
        { publicUrl: `ws://127.0.0.1:${server.port}`, leaseExpiresAt: new Date(Date.now() + 3_600_000) },
      );
    watch = setInterval(() => void letGo(), 50); // as on every host
  });
  afterAll(async () => {
    clearInterval(watch);
    await server.close();
    await world.close();
  });

  async function letGo(): Promise<void> {
    const lost = await findOvertaken({ deps: world.base.ctx, hostId: host.hostId, held: sessions.all() });
    for (const { callId, generation, kind } of lost) sessions.find(callId, generation)?.report({ kind });
  }

  /** A call as the editor creates it. */
  async function made() {
    const { ctx } = world.base;
    const agentId = await world.base.createAgent(threeStepDefinition({ extraction: false, webhook: false }));
    const { id, web_call: offer } = await createCall({
      ctx,
      deps: { tickets: createTickets(ctx.secrets) },
      input: { agentId, mode: 'web', name: 'In the browser', initialContext: {} },
    });
    if (offer === null) throw new Error('a browser was offered nothing');
    return { callId: id, offer, row: () => ctx.db.getRepository(calls).findOneByOrFail({ id }) };
  }

  async function open({ url, token }: { url: string; token: string }) {
    const ws = new WebSocket(url, ['parlance', token]);
    const messages: Record<string, unknown>[] = [];
    const sound: Buffer[] = [];
    ws.on(
      'message',
      (data: Buffer, isBinary) =>
        void (isBinary ? sound.push(data) : messages.push(JSON.parse(data.toString()))),
    );
    const closed = once(ws, 'close').then(([code]) => Number(code));
    await Promise.race([once(ws, 'open'), closed]);
    return { ws, messages, closed, heard: () => samplesOf(Buffer.concat(sound), 'little') };
  }

  /** Speaks at each step on the stream that the browser opened. */
  function saying(next: (leg: VoiceLeg, nodeId: string) => ReturnType<Script>): Script {
    return async ({ callId, generation, step }, signal) => {
      const leg = await sessions.whenLive(callId, generation, signal);
      leg.show({ type: 'rtf-bot-text', payload: { text: `at ${step.nodeId}` } });
      leg.playout.add({ clauseId: 1, samples: new Int16Array(1600).fill(500), isLast: true });
      return await next(leg, step.nodeId);
    };
  }
  const keyOf = async (leg: VoiceLeg) => await new Promise<string>((resolve) => void leg.onKey(resolve));

  test('begins with its socket, talks, moves through the graph and ends like every call', async () => {
    host.script = saying(async (leg, nodeId) => (nodeId === 'start' ? says(`key ${await keyOf(leg)}`) : {}));
    const call = await made();
    expect(await call.row()).toMatchObject({ state: 'created', channel: 'web' });
    const browser = await open(call.offer);
    await until('the agent is heard', () => Promise.resolve(browser.heard().length >= 1600));
    expect(['admitted', 'talking']).toContain((await call.row()).state);
    host.script = saying((_leg, nodeId) =>
      nodeId === 'start'
        ? { chosenEdge: 'e1', lines: [] }
        : nodeId === 'ask'
          ? { chosenEdge: 'e2', lines: [] }
          : {},
    );
    browser.ws.send(JSON.stringify({ type: 'dtmf', digit: '7' }));
    expect(await browser.closed).toBe(1000);
    expect(browser.messages[0]).toEqual({ type: 'started', sample_rate: 16_000, frame_ms: 20 });
    expect(browser.messages.filter(({ type }) => type === 'rtf-bot-text')).toEqual(
      ['start', 'start', 'ask', 'bye'].map((nodeId) => ({
        type: 'rtf-bot-text',
        payload: { text: `at ${nodeId}` },
      })),
    );
    expect(browser.messages.at(-1)).toEqual({
      type: 'call-ended',
      workflow_run_id: call.callId,
      reason: 'released',
    });
    const row = await until('the record is complete', async () =>
      (await call.row()).state === 'ended' ? await call.row() : undefined,
    );
    expect(row).toMatchObject({
      disposition: 'user_qualified',
      isTest: true,
      source: 'editor',
      gatheredContext: { nodes_visited: ['Start', 'Ask', 'Bye'] },
    });
    expect(world.carrier.requests('dial')).toEqual([]);
  });

  test('accepts one socket: a second one gets “active”, a late one “over”', async () => {
    host.script = saying(
      async (leg) => await new Promise((resolve) => leg.onGone(() => resolve({ next: { kind: 'gone' } }))),
    );
    const call = await made();
    const first = await open(call.offer);
    await until('the call is begun', () => Promise.resolve(first.messages.length > 0)); // a socket opens before it owns the call
    const second = await open(call.offer);
    expect([await second.closed, second.messages]).toEqual([
      4409,
      [
        {
          type: 'error',
          payload: { error_type: 'workflow_run_already_active', message: expect.any(String) },
        },
      ],
    ]);
    await until('the agent is heard', () => Promise.resolve(first.heard().length >= 1600));
    first.ws.send(JSON.stringify({ type: 'stop' }));
    expect(await first.closed).toBe(1000);
    expect(first.messages.at(-1)).toEqual({
      type: 'call-ended',
      workflow_run_id: call.callId,
      reason: 'stopped',
    });
    expect(
      await until('the call is over', async () =>
        (await call.row()).state === 'ended' ? await call.row() : undefined,
      ),
    ).toMatchObject({ disposition: 'user_hangup' });
    const late = await open(call.offer);
    expect([await late.closed, late.messages]).toEqual([
      4409,
      [
        {
          type: 'error',
          payload: { error_type: 'workflow_run_already_completed', message: expect.any(String) },
        },
      ],
    ]);
  });

  test('refuses the token of another call', async () => {
    const [mine, other] = [await made(), await made()];
    expect(await (await open({ url: mine.offer.url, token: other.offer.token })).closed).toBe(4401);
    expect([(await mine.row()).state, (await other.row()).state]).toEqual(['created', 'created']);
  });
});
