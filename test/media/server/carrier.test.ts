import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { decodeMuLaw, encodeALaw, encodeMuLaw } from '../../../src/domain/audio/g711.ts';
import { bytesOf } from '../../../src/domain/audio/pcm.ts';
import { NoLegError } from '../../../src/media/sessions.ts';
import type { GoneReason, VoiceLeg } from '../../../src/media/leg.ts';
import { connectCarrier } from '../../support/media/carrier-client.ts';
import { startTestHost, type TestHost } from '../../support/media/host.ts';
import { until } from '../../support/until.ts';

const tone = (frame: number): Int16Array =>
  Int16Array.from({ length: 160 }, (_, index) => Math.round(8000 * Math.sin((frame * 160 + index) / 7)));
const throughLine = (samples: Int16Array): number[] => [...decodeMuLaw(encodeMuLaw(samples))];

describe("a carrier's media socket", () => {
  let host: TestHost;
  beforeEach(async () => {
    host = await startTestHost();
  });
  afterEach(async () => await host.close());

  async function liveCall(callId = 9) {
    host.seat(callId);
    const carrier = await connectCarrier(host.url(callId));
    carrier.start();
    const leg = await host.live(callId);
    const frames: number[][] = [];
    const positions: number[] = [];
    const gone: GoneReason[] = [];
    leg.onFrame(({ samples, mediaMs }) => {
      frames.push([...samples]);
      positions.push(mediaMs);
    });
    leg.onGone((reason) => gone.push(reason));
    return { carrier, leg, frames, positions, gone };
  }
  const soon = async (what: string, isTrue: () => boolean) =>
    await until(what, () => Promise.resolve(isTrue()));

  test('tells its call that media began, and repeats that until it succeeds', async () => {
    const told: unknown[] = [];
    const noteMedia = (began: unknown) =>
      told.push(began) < 3 ? Promise.reject(new Error('Temporal is down')) : Promise.resolve();
    await host.close();
    host = await startTestHost({ deps: { noteMedia } });
    await liveCall();
    await soon('the third attempt', () => told.length === 3);
    expect(told).toEqual(Array.from({ length: 3 }, () => told[0]));
  });

  test("gives the person's sound to the conversation, as frames in order", async () => {
    const { carrier, frames, positions } = await liveCall();
    for (let chunk = 1; chunk <= 10; chunk += 1) carrier.media(chunk, tone(chunk));
    await soon('ten frames', () => frames.length === 10);
    expect(frames).toEqual(Array.from({ length: 10 }, (_, index) => throughLine(tone(index + 1))));
    expect(positions.map((each) => Math.round(each - (positions[0] ?? 0)))).toEqual(
      Array.from({ length: 10 }, (_, index) => index * 20),
    );
  });

  // guarantee: lost-media-frames-become-silence
  test('orders frames, drops duplicate and late ones, and fills losses with silence', async () => {
    const { carrier, frames } = await liveCall();
    for (const chunk of [1, 3, 2, 2, 4, 6, 7, 8, 5, 9]) carrier.media(chunk, tone(chunk));
    await soon('nine frames', () => frames.length === 9);
    expect(frames).toEqual(
      [1, 2, 3, 4, 0, 6, 7, 8, 9].map((chunk) =>
        chunk === 0 ? Array.from({ length: 160 }, () => 0) : throughLine(tone(chunk)),
      ),
    );
  });

  test('keeps the time when the carrier omits silence', async () => {
    const { carrier, positions } = await liveCall();
    for (const chunk of [1, 2]) carrier.media(chunk, tone(chunk));
    carrier.media(3, tone(3), { timestamp: 1040 });
    await soon('the frame after the pause', () => positions.length === 53);
    expect(Math.round((positions[52] ?? 0) - (positions[0] ?? 0))).toBe(1040);
  });

  test("carries the agent's speech in frames of 20 ms, complete", async () => {
    const { carrier, leg } = await liveCall();
    const samples = Int16Array.from({ length: 4800 }, (_, index) => Math.round(9000 * Math.sin(index / 9)));
    leg.playout.add({ clauseId: 1, samples, isLast: true });
    await soon('all of it', () => carrier.heard().length >= 4800);
    expect([...carrier.heard()].slice(0, 4800)).toEqual(throughLine(samples));
    await soon('the end', () => leg.playout.isIdle);
    leg.playout.clear();
    await soon('clear', () => carrier.events.at(-1)?.event === 'clear');
  });

  test.each([
    ['PCMA', 8000, (samples: Int16Array) => encodeALaw(samples)],
    ['L16', 8000, (samples: Int16Array) => bytesOf(samples, 'little')],
    ['pcmu', 8000, (samples: Int16Array) => encodeMuLaw(samples)],
  ] as const)('reads the codec that the carrier announces: %s', async (encoding, sampleRate, encode) => {
    host.seat(9);
    const carrier = await connectCarrier(host.url(9));
    carrier.start({ encoding, sample_rate: String(sampleRate), channels: 1 });
    const leg = await host.live(9);
    const heard: Int16Array[] = [];
    leg.onFrame(({ samples }) => heard.push(samples));
    const samples = Int16Array.from({ length: 160 }, (_, index) => index * 50);
    carrier.send({
      event: 'media',
      media: { chunk: 1, timestamp: 0, payload: Buffer.from(encode(samples)).toString('base64') },
    });
    await soon('a frame', () => heard.length === 1);
    expect(Math.max(...[...(heard[0] ?? [])].map((each, index) => Math.abs(each - index * 50)))).toBeLessThan(
      600,
    );
  });

  test('is closed with 4400 for an unsupported codec and for malformed messages', async () => {
    host.seat(9);
    const carrier = await connectCarrier(host.url(9));
    carrier.start({ encoding: 'OPUS', sample_rate: 48_000, channels: 2 });
    expect(await carrier.closed).toBe(4400);
    host.seat(10);
    const other = await connectCarrier(host.url(10));
    other.ws.send('{not json');
    expect(await other.closed).toBe(4400);
    expect(host.sessions.all()).toEqual([]);
  });

  test.each([
    ['another token', (url: string) => `${url.slice(0, -2)}ff`, 4401],
    ['no token', (url: string) => url.slice(0, -3), 4401],
    ['an unknown call', (url: string) => url.replace('/9/', '/8/'), 4401],
    ['a malformed call id', (url: string) => url.replace('/9/', '/nine/'), 4400],
  ])('is closed at once with %s', async (_what, change, code) => {
    host.seat(9);
    expect(await (await connectCarrier(change(host.url(9)))).closed).toBe(code);
    expect(host.sessions.find(9, 1)?.state.kind).toBe('seated');
  });

  test('is accepted once: a second one with the same token is refused and does not affect the first', async () => {
    const { carrier, frames } = await liveCall();
    expect(await (await connectCarrier(host.url(9))).closed).toBe(4401);
    carrier.media(1, tone(1));
    await soon('a frame', () => frames.length === 1);
  });

  test('passes on keys', async () => {
    const { carrier, leg } = await liveCall();
    const keys: string[] = [];
    leg.onKey((digit) => keys.push(digit));
    for (const digit of ['1', '#', 'x']) carrier.send({ event: 'dtmf', dtmf: { digit } });
    await soon('two keys, then the end', () => keys.length === 2);
    expect(keys).toEqual(['1', '#']);
  });

  test.each([
    [
      'stop',
      (leg: { carrier: Awaited<ReturnType<typeof connectCarrier>> }) => leg.carrier.send({ event: 'stop' }),
      'stopped',
    ],
    [
      'a close',
      ({ carrier }: { carrier: Awaited<ReturnType<typeof connectCarrier>> }) => carrier.ws.close(),
      'closed',
    ],
    [
      'a cut connection',
      ({ carrier }: { carrier: Awaited<ReturnType<typeof connectCarrier>> }) => carrier.ws.terminate(),
      'closed',
    ],
  ] as const)('reports its end once when it ends by %s', async (_what, end, reason) => {
    const call = await liveCall();
    end(call);
    await soon('the end', () => call.gone.length > 0);
    expect(call.gone).toEqual([reason]);
    expect(host.ended).toEqual([{ callId: 9, reason }]);
    const late: GoneReason[] = [];
    call.leg.onGone((each) => late.push(each));
    expect(late).toEqual([reason]);
    await expect(host.live(9)).rejects.toThrow(NoLegError);
  });

  test('is cut when it is silent for too long', async () => {
    await host.close();
    let nowMs = 1000;
    host = await startTestHost({
      limits: { seatedMs: 60_000, connectedMs: 60_000, silentMs: 150 },
      now: () => nowMs,
    });
    const { carrier, frames, gone } = await liveCall();
    for (let chunk = 1; chunk <= 5; chunk += 1) {
      nowMs += 150;
      carrier.media(chunk, tone(chunk));
      await soon('the frame', () => frames.length === chunk);
      host.sessions.watch();
    }
    nowMs += 150;
    host.sessions.watch();
    expect(gone).toEqual([]);
    nowMs += 1;
    host.sessions.watch();
    expect([gone, await carrier.closed]).toEqual([['silent_socket'], 1011]);
  });

  test('is closed when a newer generation takes its seat, and its frames are ignored', async () => {
    const { carrier, frames, gone } = await liveCall();
    host.seat(9, 2);
    expect([gone, await carrier.closed]).toEqual([['fenced'], 4409]);
    expect(frames).toEqual([]);
    expect(host.sessions.seat({ callId: 9, organizationId: 3, generation: 1 })).toBeNull();
    await expect(host.live(9, 1)).rejects.toMatchObject({ reason: 'fenced' });
  });

  // guarantee: unread-socket-is-closed
  test('is cut when its other end does not read', async () => {
    const { carrier, leg, gone } = await liveCall();
    carrier.ws.pause();
    const speak = setInterval(
      () =>
        leg.playout.add({
          clauseId: Math.round(performance.now()),
          samples: new Int16Array(8000).fill(1000),
          isLast: true,
        }),
      20,
    );
    const wire = (leg as VoiceLeg & { playout: { clear: () => unknown } }).playout;
    // Clearing empties our queue, but not the socket's, so many frames go out quickly.
    const flood = setInterval(() => {
      for (let times = 0; times < 200; times += 1) {
        wire.clear();
        leg.playout.add({ clauseId: Math.random(), samples: new Int16Array(1600).fill(1000), isLast: true });
      }
    }, 5);
    await soon('the cut', () => gone.length > 0);
    clearInterval(speak);
    clearInterval(flood);
    expect(gone).toEqual(['closed']);
    carrier.ws.terminate();
  });

  test('keeps the frames that arrive before its seat is known', async () => {
    host.seat(9);
    const leg = host.live(9);
    const ws = new WebSocket(host.url(9));
    ws.on('open', () => {
      ws.send(JSON.stringify({ event: 'connected' }));
      ws.send(JSON.stringify({ event: 'start', start: {} }));
    });
    expect((await leg).sampleRate).toBe(8000);
    ws.close();
  });

  test('answers WebRTC signaling with an error, and unknown paths with 404', async () => {
    const base = `ws://127.0.0.1:${host.server.port}`;
    const signaling = new WebSocket(`${base}/api/v1/ws/signaling/1/2`);
    const received = await new Promise<Buffer>((resolve) => signaling.once('message', resolve));
    expect(JSON.parse(received.toString())).toMatchObject({
      type: 'error',
      payload: { error_type: 'unsupported' },
    });
    const other = new WebSocket(`${base}/api/v1/elsewhere`);
    expect(await new Promise<Error>((resolve) => other.once('error', resolve))).toMatchObject({
      message: 'Unexpected server response: 404',
    });
  });
});
