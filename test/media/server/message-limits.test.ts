import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { WebSocket } from 'ws';
import { connectCarrier, type CarrierClient } from '../../support/media/carrier-client.ts';
import { startTestHost, type TestHost } from '../../support/media/host.ts';
import { until } from '../../support/until.ts';

const maxMessageBytes = 256 * 1024;
const long = 'x'.repeat(5000);
const longNumber = '9'.repeat(5000);

let host: TestHost;
let lines: string[];
let lastCallId: number;
beforeEach(async () => {
  lines = [];
  lastCallId = 100;
  host = await startTestHost({ deps: { log: pino({}, { write: (line: string) => lines.push(line) }) } });
});
afterEach(async () => await host.close());

/**
 * What a call is after a message: live; live but with a key that nobody pressed; closed with this code; cut
 * without one; or closed but not over at its host.
 */
type Outcome = 'live' | 'wrong key' | 'cut' | 'kept' | number;
type Message = object | string | Uint8Array;

const sendTo = (ws: WebSocket, message: Message) =>
  ws.send(typeof message === 'string' || message instanceof Uint8Array ? message : JSON.stringify(message));

/** Live once its call hears the key that is sent after the message. */
async function outcomeOf(callId: number, closed: Promise<number>, pressKey: () => void): Promise<Outcome> {
  const live = async (): Promise<Outcome> => {
    const leg = await host.live(callId);
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    leg.onKey((digit) => resolve(digit === '1' ? 'live' : 'wrong key'));
    pressKey();
    return await promise;
  };
  const end = codeOfEnd(callId, closed);
  return await Promise.race([end, live().catch(() => end)]);
}

async function codeOfEnd(callId: number, closed: Promise<number>): Promise<Outcome> {
  const code = await closed;
  return host.ended.some((each) => each.callId === callId) ? code : 'kept';
}

const keyOfCarrier = { event: 'dtmf', dtmf: { digit: '1' } };
const startOfCall = (format: object = {}) => ({ event: 'start', start: { media_format: format } });
const usual = startOfCall({ encoding: 'PCMU', sample_rate: 8000, channels: 1 });

async function carrierCall(): Promise<CarrierClient & { callId: number }> {
  const callId = (lastCallId += 1);
  host.seat(callId);
  return { ...(await connectCarrier(host.url(callId))), callId };
}

/** The message is the first one of its stream, and the usual beginning follows. */
async function beginsWith(message: Message): Promise<Outcome> {
  const { ws, callId, closed } = await carrierCall();
  sendTo(ws, message);
  sendTo(ws, usual);
  return await outcomeOf(callId, closed, () => sendTo(ws, keyOfCarrier));
}

async function carrierSends(message: Message): Promise<Outcome> {
  const { ws, callId, closed } = await carrierCall();
  sendTo(ws, usual);
  await host.live(callId);
  sendTo(ws, message);
  return await outcomeOf(callId, closed, () => sendTo(ws, keyOfCarrier));
}

async function browserSends(message: Message): Promise<Outcome> {
  const callId = (lastCallId += 1);
  const ws = new WebSocket(`ws://127.0.0.1:${host.server.port}/api/v1/ws/call/5/${callId}?token=bb`);
  ws.on('error', () => undefined);
  const closed = once(ws, 'close').then(([code]) => Number(code));
  await once(ws, 'open');
  await host.live(callId);
  sendTo(ws, message);
  return await outcomeOf(callId, closed, () => sendTo(ws, { type: 'dtmf', digit: '1' }));
}

const browserToken = async (token: string): Promise<Outcome> =>
  await closeCodeOf(`ws://127.0.0.1:${host.server.port}/api/v1/ws/call/5/9?token=${token}`);

async function closeCodeOf(url: string): Promise<number> {
  const ws = new WebSocket(url);
  ws.on('error', () => undefined);
  const [code] = await once(ws, 'close');
  return Number(code);
}

/** A message of exactly that many bytes with an event that nobody knows. */
const ofBytes = (bytes: number, known: object): string => {
  const empty = JSON.stringify({ ...known, more: '' });
  return JSON.stringify({ ...known, more: 'x'.repeat(bytes - empty.length) });
};

type Row = [what: string, act: () => Promise<Outcome>, Outcome];

const rows: Row[] = [
  ['a first event', () => beginsWith({ event: long }), 'live'],
  ['an encoding', () => beginsWith(startOfCall({ encoding: long })), 4400],
  ['a sample rate', () => beginsWith(startOfCall({ sample_rate: longNumber })), 'live'],
  ['a number of channels', () => beginsWith(startOfCall({ channels: longNumber })), 'live'],
  ['a stream id', () => beginsWith({ ...usual, stream_id: long, sequence_number: longNumber }), 'live'],
  ['a call control id', () => beginsWith({ event: 'start', start: { call_control_id: long } }), 'live'],
  ['a mark before the beginning', () => beginsWith({ event: 'mark', mark: { name: long } }), 4400],
  ['a mark', () => carrierSends({ event: 'mark', mark: { name: long } }), 'live'],
  ['a key', () => carrierSends({ event: 'dtmf', dtmf: { digit: long } }), 'live'],
  [
    'an error',
    () => carrierSends({ event: 'error', payload: { code: longNumber, title: long, detail: long } }),
    'live',
  ],
  ['a track', () => carrierSends({ event: 'media', media: { track: long } }), 'live'],
  ['the position of a frame', () => carrierSends(frame({ chunk: longNumber })), 'live'],
  ['the time of a frame', () => carrierSends(frame({ timestamp: longNumber })), 'live'],
  ['the sound of a frame', () => carrierSends(frame({ payload: long })), 'live'],
  ['no JSON', () => carrierSends(long), 'live'],
  ['the token of a stream', () => closeCodeOf(host.url(9, long)), 4401],
  ["a browser's token", () => browserToken(long), 4401],
  ["a browser's type", () => browserSends({ type: long }), 4400],
  ["a browser's mark", () => browserSends({ type: 'mark', name: long }), 4400],
  ["a browser's key", () => browserSends({ type: 'dtmf', digit: long }), 4400],
  ["a browser's text", () => browserSends({ type: 'text', text: long }), 4400],
  ["a browser's text without JSON", () => browserSends(long), 4400],
];

function frame(changes: object) {
  return { event: 'media', media: { chunk: '1', timestamp: '0', payload: '', ...changes } };
}

const biggest: Row[] = [
  ['a first message', () => beginsWith(ofBytes(maxMessageBytes, { event: 'new' })), 'live'],
  ['a longer first message', () => beginsWith(ofBytes(maxMessageBytes + 1, { event: 'new' })), 1009],
  ["a carrier's message", () => carrierSends(ofBytes(maxMessageBytes, { event: 'new' })), 'live'],
  ["a carrier's longer message", () => carrierSends(ofBytes(maxMessageBytes + 1, { event: 'new' })), 1009],
  ["a browser's message", () => browserSends(ofBytes(maxMessageBytes, { type: 'mark', name: 'm1' })), 'live'],
  [
    "a browser's longer message",
    () => browserSends(ofBytes(maxMessageBytes + 1, { type: 'mark', name: 'm1' })),
    1009,
  ],
  ["a browser's longer sound", () => browserSends(new Uint8Array(maxMessageBytes + 2)), 1009],
  ['a message that is still being sent', sentForLong, 1009],
];

/** More than the network holds, so the connection closes while the rest of the message is on its way. */
async function sentForLong(): Promise<Outcome> {
  const { ws, callId, closed } = await carrierCall();
  sendTo(ws, usual);
  const { promise: sent, resolve } = Promise.withResolvers<boolean>();
  ws.send(ofBytes(100 * maxMessageBytes, { event: 'new' }), (error) => resolve(!error));
  return (await sent) ? await outcomeOf(callId, closed, () => sendTo(ws, keyOfCarrier)) : 'cut';
}

/** A call beside the others: its sound arrives to the end. */
async function neighbor() {
  host.seat(1);
  const carrier = await connectCarrier(host.url(1));
  carrier.start();
  const leg = await host.live(1);
  const ends: string[] = [];
  let frames = 0;
  leg.onFrame(() => (frames += 1));
  leg.onGone((reason) => ends.push(reason));
  return async () => {
    const before = frames;
    carrier.media(before + 1, new Int16Array(160));
    await until('its frame', () => Promise.resolve(frames > before));
    expect([ends, carrier.ws.readyState]).toEqual([[], WebSocket.OPEN]);
  };
}

async function outcomesOf(table: Row[]) {
  const outcomes: [string, Outcome][] = [];
  for (const [what, act] of table) outcomes.push([what, await act()]);
  return outcomes;
}

const expected = (table: Row[]) => table.map(([what, , outcome]) => [what, outcome]);

test('a text of 5,000 characters in any field of a media message is neither kept nor logged, and the other calls continue', async () => {
  const isUntouched = await neighbor();
  expect(await outcomesOf(rows)).toEqual(expected(rows));
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    { msg: 'A carrier uses a codec that we do not support', encoding: 'X'.repeat(16) },
    { msg: 'A carrier reported an error on a media socket', code: null },
  ]);
  expect(lines.filter((line) => /(.)\1{63}/.test(line))).toEqual([]);
  await isUntouched();
});

test('a media message over 256 KiB closes its own connection with 1009, and the other calls continue', async () => {
  const isUntouched = await neighbor();
  expect(await outcomesOf(biggest)).toEqual(expected(biggest));
  expect(lines).toEqual([]);
  await isUntouched();
});

test('half a minute of sound may come before the host knows its call, and more bytes than that close the connection', async () => {
  const { promise: isKnown, resolve: know } = Promise.withResolvers<void>();
  await host.close();
  host = await startTestHost({
    deps: { openStream: () => isKnown.then(() => ({ kind: 'opened', generation: 1 })) },
  });
  const sendsEarly = async (messages: Message[]): Promise<Outcome> => {
    const { ws, closed } = await carrierCall();
    for (const message of messages) sendTo(ws, message);
    const pong = once(ws, 'pong').then((): Outcome => 'live');
    ws.ping(); // is answered behind the messages
    return await Promise.race([pong, closed]);
  };
  const start = startOfCall({ encoding: 'L16', sample_rate: 16_000 });
  const wideSound = Buffer.alloc(640).toString('base64');
  const halfAMinute = Array.from({ length: 1490 }, (_, index) =>
    frame({ track: 'inbound', chunk: index + 1, timestamp: index * 20, payload: wideSound }),
  );
  expect(await sendsEarly(Array.from({ length: 9 }, () => ofBytes(maxMessageBytes, { event: 'new' })))).toBe(
    1006,
  );
  expect(await sendsEarly([start, ...halfAMinute])).toBe('live');
  know();
  expect((await host.live(lastCallId)).sampleRate).toBe(8000);
});
