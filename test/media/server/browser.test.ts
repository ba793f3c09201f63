import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { bytesOf, samplesOf } from '../../../src/domain/audio/pcm.ts';
import type { GoneReason } from '../../../src/media/leg.ts';
import type { StreamDeps } from '../../../src/media/server/deps.ts';
import { startTestHost, type TestHost } from '../../support/media/host.ts';
import { until } from '../../support/until.ts';

describe("a browser's call", () => {
  let host: TestHost;
  let started: Parameters<StreamDeps['startWebCall']>[0][];
  beforeEach(async () => {
    started = [];
    host = await startTestHost({
      deps: { startWebCall: (call) => Promise.resolve(void started.push(call)) },
    });
  });
  afterEach(async () => await host.close());

  const base = () => `ws://127.0.0.1:${host.server.port}/api/v1/ws/call/5/9`;
  const soon = async (what: string, isTrue: () => boolean) =>
    await until(what, () => Promise.resolve(isTrue()));

  async function connect(url = `${base()}?token=bb`, protocols: string[] = [], origin?: string) {
    const ws = new WebSocket(url, protocols, origin === undefined ? {} : { origin });
    const sound: Buffer[] = [];
    const messages: Record<string, unknown>[] = [];
    ws.on('error', () => undefined);
    ws.on(
      'message',
      (data: Buffer, isBinary) =>
        void (isBinary ? sound.push(data) : messages.push(JSON.parse(data.toString()))),
    );
    const closed = once(ws, 'close').then(([code]) => Number(code));
    await Promise.race([once(ws, 'open'), closed]);
    return { ws, messages, closed, heard: () => samplesOf(Buffer.concat(sound), 'little') };
  }

  test('is live once its socket is open: 16,000 samples per second in both directions, unchanged', async () => {
    const { ws, heard, messages } = await connect();
    await soon('the beginning', () => started.length === 1);
    const leg = await host.live(9);
    expect(started).toEqual([{ agentId: 5, callId: 9, organizationId: 3, generation: 1 }]);
    expect(messages[0]).toEqual({ type: 'started', sample_rate: 16_000, frame_ms: 20 });
    const frames: Int16Array[] = [];
    leg.onFrame(({ samples }) => frames.push(samples));
    const samples = Int16Array.from({ length: 1600 }, (_, index) => index * 3);
    ws.send(bytesOf(samples.subarray(0, 500), 'little'));
    ws.send(bytesOf(samples.subarray(500), 'little'));
    await soon('five frames', () => frames.length === 5);
    expect(frames.flatMap((each) => [...each])).toEqual([...samples]);
    leg.playout.add({ clauseId: 1, samples, isLast: true });
    await soon('the answer', () => heard().length >= 1600);
    expect([...heard()]).toEqual([...samples]);
  });

  test('shows events to its page, takes keys, and reports clears and its end', async () => {
    const { ws, messages, closed } = await connect();
    const leg = await host.live(9);
    const keys: string[] = [];
    leg.onKey((digit) => keys.push(digit));
    ws.send(JSON.stringify({ type: 'dtmf', digit: '5' }));
    await soon('the key', () => keys.length === 1);
    leg.show({ type: 'rtf-bot-text', payload: { text: 'Hello' } });
    leg.playout.clear();
    host.sessions.find(9, 1)?.report({ kind: 'released' });
    expect(await closed).toBe(1000);
    expect(messages.slice(1)).toEqual([
      { type: 'rtf-bot-text', payload: { text: 'Hello' } },
      { type: 'clear' },
      { type: 'call-ended', workflow_run_id: 9, reason: 'released' },
    ]);
  });

  // guarantee: web-call-page-has-listed-origin
  test('is opened by pages of the listed origins alone, and by programs, which send no origin', async () => {
    for (const origin of ['https://thief.example', 'https://console.example.thief.example', 'null']) {
      const ws = new WebSocket(`${base()}?token=bb`, { origin });
      ws.on('error', () => undefined);
      const [, answer]: { statusCode?: number }[] = await once(ws, 'unexpected-response');
      expect([origin, answer?.statusCode]).toEqual([origin, 403]);
      ws.terminate();
    }
    expect(host.sessions.all()).toEqual([]);
    await connect(undefined, [], 'https://console.example');
    await host.live(9);
    expect(started).toHaveLength(1);
  });

  test('accepts its token as a second subprotocol, and does not send it back', async () => {
    const { ws } = await connect(base(), ['parlance', 'bb']);
    await host.live(9);
    expect(ws.protocol).toBe('parlance');
  });

  test('is refused with a wrong token and without one', async () => {
    expect(await (await connect(`${base()}?token=no`)).closed).toBe(4401);
    expect(await (await connect(base())).closed).toBe(4401);
    expect(host.sessions.all()).toEqual([]);
  });

  test.each([
    ['unknown', 4404, 'workflow_run_not_found'],
    ['wrong_token', 4401, 'invalid_token'],
    ['taken', 4409, 'workflow_run_already_active'],
    ['over', 4409, 'workflow_run_already_completed'],
    ['full', 1013, 'host_full'],
    ['limit', 1013, 'concurrency_limit_exceeded'],
  ] as const)('gets the reason before it is closed when it is refused (%s)', async (reason, code, type) => {
    await host.close();
    host = await startTestHost({ deps: { openWebCall: () => Promise.resolve({ kind: 'refused', reason }) } });
    const { closed, messages } = await connect();
    expect([await closed, messages]).toEqual([
      code,
      [{ type: 'error', payload: { error_type: type, message: expect.any(String) } }],
    ]);
    expect(host.sessions.all()).toEqual([]);
  });

  test('gets an error and is closed when it cannot start, and frees its seat', async () => {
    await host.close();
    host = await startTestHost({
      deps: { startWebCall: () => Promise.reject(new Error('Temporal is down')) },
    });
    const { closed, messages } = await connect();
    expect(await closed).toBe(1011);
    expect(messages).toMatchObject([
      { type: 'started' },
      { type: 'error', payload: { error_type: 'call_not_started' } },
    ]);
    expect(host.sessions.all()).toEqual([]);
    expect(host.ended).toEqual([{ callId: 9, reason: 'released' }]);
  });

  test('is closed when it sends faster than real time or sends a malformed message', async () => {
    const fast = await connect();
    const leg = await host.live(9);
    const gone: GoneReason[] = [];
    leg.onGone((reason) => gone.push(reason));
    for (let second = 0; second < 8; second += 1) fast.ws.send(new Uint8Array(32_000));
    expect(await fast.closed).toBe(4400);
    expect(gone).toEqual(['closed']);
    const strange = await connect();
    strange.ws.send('hello');
    expect(await strange.closed).toBe(4400);
  });

  test('takes typed words, trimmed, and is closed for what cannot be typed', async () => {
    const { ws } = await connect();
    const leg = await host.live(9);
    const typed: string[] = [];
    leg.onTyped((text) => typed.push(text));
    const longest = '😀'.repeat(2000);
    for (const text of [' I will come. ', longest]) ws.send(JSON.stringify({ type: 'text', text }));
    await soon('the words', () => typed.length === 2);
    expect(typed).toEqual(['I will come.', longest]);
    ws.close();
    await soon('the end', () => host.sessions.all().length === 0);
    for (const text of ['', '  ', 'a'.repeat(2001), '\ud83d', 5, undefined]) {
      const strange = await connect();
      strange.ws.send(JSON.stringify({ type: 'text', text }));
      expect([text, await strange.closed]).toEqual([text, 4400]);
    }
  });

  test('is closed when more than five texts come within a second', async () => {
    const { ws, closed } = await connect();
    const leg = await host.live(9);
    const typed: string[] = [];
    leg.onTyped((text) => typed.push(text));
    for (let count = 1; count <= 6; count += 1)
      ws.send(JSON.stringify({ type: 'text', text: `word ${count}` }));
    expect(await closed).toBe(4400);
    expect(typed).toHaveLength(5);
  });

  test('without a microphone is heard as silence, so that recognizers stay; the first sound replaces it', async () => {
    const { ws } = await connect();
    const leg = await host.live(9);
    const frames: Int16Array[] = [];
    leg.onFrame(({ samples }) => frames.push(samples));
    await soon('silence', () => frames.length >= 5);
    expect(performance.now() - leg.beganAtMs).toBeGreaterThanOrEqual(2000);
    expect(frames.flatMap((each) => [...each]).every((sample) => sample === 0)).toBe(true);
    ws.send(bytesOf(new Int16Array(640).fill(7), 'little'));
    await soon('the sound', () => frames.at(-1)?.[0] === 7);
    expect(frames.filter(([sample]) => sample === 7)).toHaveLength(2);
  });

  test('stays while its page answers pings, even with the microphone off, and ends when it does not', async () => {
    await host.close();
    host = await startTestHost({ limits: { seatedMs: 60_000, connectedMs: 60_000, silentMs: 3000 } });
    const { ws } = await connect();
    const leg = await host.live(9);
    const gone: GoneReason[] = [];
    leg.onGone((reason) => gone.push(reason));
    const watch = setInterval(() => host.sessions.watch(), 50);
    await new Promise((resolve) => setTimeout(resolve, 5000));
    expect(gone).toEqual([]);
    ws.pause();
    await soon('the watchdog', () => gone.length > 0);
    clearInterval(watch);
    expect(gone).toEqual(['silent_socket']);
    ws.terminate();
  });
});
