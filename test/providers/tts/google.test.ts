import { connect, createServer, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { createGoogleTts } from '../../../src/providers/tts/google.ts';
import { GoogleClient } from '../../../src/providers/tts/google-client.ts';
import { GoogleStream, type GoogleStreamParts } from '../../../src/providers/tts/google-stream.ts';
import { defaultTtsTimeouts } from '../../../src/providers/tts/port.ts';
import { systemTimer } from '../../../src/runtime/timer.ts';
import { createManualTimer } from '../../support/manual-timer.ts';
import { hearReply, startTtsBench, voices, type TtsBench } from '../../support/tts-emulator.ts';

let bench: TtsBench;
beforeAll(async () => {
  bench = await startTtsBench();
});
const closing: (() => Promise<void> | void)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
  await bench.close();
});

const fault = (): never => {
  throw new Error('a fault in a listener');
};

/** A relay whose open connections can go silent without closing. */
async function startRelay(target: string) {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(new URL(target).port), '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
    }
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    silence: () => {
      for (const socket of sockets) socket.unpipe().resume();
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

test('a silent connection costs one reply, and the next one gets a new connection', async () => {
  const relay = await startRelay(bench.emulator.googleUrl);
  const timer = createManualTimer();
  const tts = createGoogleTts({ endpoint: relay.url, timer });
  closing.push(
    () => tts.close(),
    () => relay.close(),
  );
  const say = async (text: string, { afterMs = 0 } = {}) => {
    const reply = hearReply(tts, { voice: voices.google }, [text]);
    timer.advance(afterMs);
    const failure = await reply.ended;
    return failure ?? reply.text();
  };
  await tts.warm();
  expect(await say('Before.')).toBe('Before.');
  timer.advance(5_000);
  relay.silence();
  expect(await say('Lost.', { afterMs: defaultTtsTimeouts.firstByteMs })).toMatchObject({
    reason: 'timeout',
    retryable: true,
  });
  expect(await say('After.')).toBe('After.');
});

test('a reply of many clauses is one request to Google', async () => {
  bench.emulator.log.clear();
  const reply = hearReply(
    bench.tts('google'),
    { voice: { ...voices.google, speakingRate: 9 }, sampleRate: 16000 },
    ['One, ', 'two, ', 'three.'],
  );
  await reply.ended;
  expect(bench.emulator.log.entries()).toMatchObject([
    {
      voice: 'en-US-Chirp3-HD-Kore',
      language: 'en-US',
      sampleRate: 16000,
      speakingRate: 2,
      texts: ['One, ', 'two, ', 'three.'],
      ended: 'complete',
    },
  ]);
});

test('a voice that Google does not stream is refused and not retryable', async () => {
  const reply = hearReply(
    bench.tts('google'),
    { voice: { model: null, voice: 'en-US-Neural2-C', language: 'en-US' } },
    ['Hello.'],
  );
  expect(await reply.ended).toMatchObject({ provider: 'tts', retryable: false, reason: 'client_error' });
});

/** A stream that says the texts; `failure` is why it fails. */
function streamThat({
  client,
  part = {},
  texts,
}: Pick<GoogleStreamParts, 'client'> & { part?: object; texts: readonly string[] }) {
  const { promise: failure, resolve: onFailed } = Promise.withResolvers<unknown>();
  const stream = new GoogleStream({
    timer: systemTimer,
    client,
    voice: voices.google,
    sampleRate: 8000,
    limits: { ...defaultTtsTimeouts, idleMs: 20 },
    msPerCharacter: 60,
    part: { push: () => undefined, finish: () => undefined, ...part },
    onFinished: () => undefined,
    onFailed,
  });
  stream.say(0, texts);
  return { failure };
}

test.each([
  ['sound', 'push', ['Hello.']],
  ['its end', 'finish', ['Hello.']],
  ['a timer', 'finish', []],
] as const)('a fault in the handling of %s fails only its reply', async (_which, broken, texts) => {
  const google = new GoogleClient({ endpoint: bench.emulator.googleUrl });
  closing.push(() => google.close());
  const { failure } = streamThat({ client: google.ready(), part: { [broken]: fault }, texts });
  expect(await failure).toEqual(new Error('a fault in a listener'));
});

test('a failure of Google that cannot be read fails only its reply', async () => {
  const google = new GoogleClient({ endpoint: bench.emulator.googleUrl });
  closing.push(() => google.close());
  const wire = Object.assign(new PassThrough({ objectMode: true }), { cancel: () => undefined });
  const unreadable = Object.defineProperty(new Error('a failure'), 'code', { get: fault });
  const client = Object.assign(await google.ready(), {
    streamingSynthesize() {
      setImmediate(() => wire.destroy(unreadable));
      return wire;
    },
  });
  const { failure } = streamThat({ client: Promise.resolve(client), texts: ['Hello.'] });
  expect(await failure).toEqual(new Error('a fault in a listener'));
});

test('a replaced client that cannot be closed concerns nobody', async () => {
  const timer = createManualTimer();
  const google = new GoogleClient({ endpoint: bench.emulator.googleUrl, timer });
  const client = await google.ready();
  const close = client.close.bind(client);
  closing.push(close, () => google.close());
  let closed = 0;
  client.close = () => {
    closed += 1;
    return Promise.reject(new Error('a fault in a timer'));
  };
  timer.advance(5_000);
  jest.useFakeTimers();
  try {
    google.renew(client);
    jest.runAllTimers();
  } finally {
    jest.useRealTimers();
  }
  await new Promise((resolve) => setImmediate(resolve));
  expect(closed).toBe(1);
  expect(await google.ready()).not.toBe(client);
});
