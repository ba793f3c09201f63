import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createGoogleTts } from '../../../src/providers/tts/google.ts';
import { GoogleClient } from '../../../src/providers/tts/google-client.ts';
import { GoogleStream } from '../../../src/providers/tts/google-stream.ts';
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

test.each([
  ['sound', 'push', ['Hello.']],
  ['its end', 'finish', ['Hello.']],
  ['a timer', 'finish', []],
] as const)('a fault in the handling of %s fails only its reply', async (_which, broken, texts) => {
  const google = new GoogleClient({ endpoint: bench.emulator.googleUrl });
  closing.push(() => google.close());
  const fault = (): never => {
    throw new Error('a fault in a listener');
  };
  const failure = Promise.withResolvers<unknown>();
  const stream = new GoogleStream({
    timer: systemTimer,
    client: google.ready(),
    voice: voices.google,
    sampleRate: 8000,
    limits: { ...defaultTtsTimeouts, idleMs: 20 },
    msPerCharacter: 60,
    part: { push: () => undefined, finish: () => undefined, [broken]: fault },
    onFinished: () => undefined,
    onFailed: failure.resolve,
  });
  stream.say(0, texts);
  expect(await failure.promise).toEqual(new Error('a fault in a listener'));
});
