import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { startTestHost, type TestHost } from '../../support/media/host.ts';
import { until } from '../../support/until.ts';

/**
 * The page of docs/web-calls.md, unchanged, on a real socket. Only the browser's sound is simulated: the
 * loudspeaker keeps what it plays, and the microphone hears what the test says.
 */
const [, source = ''] =
  /```js\n([\s\S]*?)```/.exec(readFileSync(new URL('../../../docs/web-calls.md', import.meta.url), 'utf8')) ??
  [];

type Talk = (
  offer: () => Promise<{ url: string; token: string }>,
  show: (message: { type: string }) => void,
) => Promise<{ press: (digit: string) => void; hangUp: () => void }>;

/** A sound that the page plays. */
interface Played {
  samples: Float32Array;
  isStopped: boolean;
}

let host: TestHost;
beforeEach(async () => {
  host = await startTestHost();
});
afterEach(async () => await host.close());

function openPage() {
  const played: Played[] = [];
  const released: string[] = [];
  const port: { onmessage?: (event: { data: unknown }) => void } = {};
  const began = performance.now();
  class AudioContext {
    audioWorklet = { addModule: () => Promise.resolve() };
    get currentTime(): number {
      return (performance.now() - began) / 1000;
    }
    createMediaStreamSource = () => ({ connect: () => undefined });
    createBuffer = (_channels: number, length: number, rate: number) => {
      const samples = new Float32Array(length);
      return { duration: length / rate, getChannelData: () => samples };
    };
    close = () => released.push('loudspeaker');
  }
  class AudioBufferSourceNode implements Played {
    isStopped = false;
    samples: Float32Array;
    constructor(_audio: unknown, { buffer }: { buffer: { getChannelData: () => Float32Array } }) {
      this.samples = buffer.getChannelData();
      played.push(this);
    }
    connect = () => undefined;
    start = () => undefined;
    stop = () => (this.isStopped = true);
  }
  class AudioWorkletNode {
    port = port;
  }
  const found: {
    talk?: Talk;
    microphone?: string;
    worklet?: { process: (inputs: Float32Array[][]) => boolean };
  } = {};
  const navigator = {
    mediaDevices: {
      getUserMedia: () => Promise.resolve({ getTracks: () => [{ stop: () => released.push('microphone') }] }),
    },
  };
  runInContext(
    `${source.replace('export async', 'async')}; Object.assign(found, { talk, microphone });`,
    createContext({
      found,
      AudioContext,
      AudioBufferSourceNode,
      AudioWorkletNode,
      WebSocket,
      navigator,
      URL: { createObjectURL: () => '' },
      Blob,
      setTimeout,
    }),
  );
  class AudioWorkletProcessor {
    port = { postMessage: (data: unknown) => port.onmessage?.({ data }) };
  }
  const registerProcessor = (_name: string, Worklet: new () => NonNullable<typeof found.worklet>) =>
    (found.worklet = new Worklet());
  runInContext(
    found.microphone ?? '',
    createContext({ AudioWorkletProcessor, registerProcessor, sampleRate: 48_000 }),
  );
  return {
    talk: found.talk,
    played,
    released,
    hear: (samples: Float32Array) => found.worklet?.process([[samples]]),
  };
}

const soon = async (what: string, isTrue: () => boolean) =>
  await until(what, () => Promise.resolve(isTrue()));

test('the page of docs/web-calls.md holds a call: sound in both directions, marks, an interruption, keys, the end', async () => {
  const { talk, played, released, hear } = openPage();
  const shown: { type: string }[] = [];
  const call = await talk?.(
    () => Promise.resolve({ url: `ws://127.0.0.1:${host.server.port}/api/v1/ws/call/5/9`, token: 'bb' }),
    (message) => shown.push(message),
  );
  await soon('the beginning', () => shown.length === 1);
  const leg = await host.live(9);

  const heard: number[] = [];
  leg.onFrame(({ samples }) => heard.push(...samples));
  for (let block = 0; block < 80; block += 1) hear(new Float32Array(128).fill(0.5)); // 10,240 at 48,000 per second
  await soon('ten frames', () => heard.length === 3200);
  expect(new Set(heard)).toEqual(new Set([16_384]));

  const events: string[] = [];
  leg.playout.on(({ kind }) => events.push(kind));
  leg.playout.add({ clauseId: 1, samples: new Int16Array(3200).fill(8192), isLast: true });
  await soon('the clause was played', () => events.includes('clause_played'));
  expect(played.flatMap(({ samples }) => [...samples])).toEqual(Array.from({ length: 3200 }, () => 0.25));

  leg.playout.add({ clauseId: 2, samples: new Int16Array(32_000), isLast: true });
  await soon('more sound', () => played.length > 12);
  leg.playout.clear();
  await soon('silence', () => played.at(-1)?.isStopped === true);

  const keys: string[] = [];
  leg.onKey((digit) => keys.push(digit));
  leg.show({ type: 'rtf-bot-text', payload: { text: 'Hello' } });
  call?.press('5');
  await soon('the key', () => keys.length === 1);
  call?.hangUp();
  await soon('the end', () => shown.length === 4);
  expect(shown).toEqual([
    { type: 'started', sample_rate: 16_000, frame_ms: 20 },
    { type: 'rtf-bot-text', payload: { text: 'Hello' } },
    { type: 'call-ended', workflow_run_id: 9, reason: 'stopped' },
    { type: 'closed', code: 1000 },
  ]);
  expect(released).toEqual(['microphone', 'loudspeaker']);
});

test('it returns every mark when everything before it has been played, and not before', async () => {
  const { talk } = openPage();
  await talk?.(
    () => Promise.resolve({ url: `ws://127.0.0.1:${host.server.port}/api/v1/ws/call/5/9`, token: 'bb' }),
    () => undefined,
  );
  await soon('the place', () => host.sessions.find(9, 1) !== null);
  const leg = await host.live(9);
  const moments: Record<string, number> = {};
  leg.playout.on(({ kind, atMs }) => (moments[kind] ??= atMs));
  leg.playout.add({ clauseId: 1, samples: new Int16Array(16_000), isLast: true });
  await soon('the clause was played', () => moments['clause_played'] !== undefined);
  expect((moments['clause_played'] ?? 0) - (moments['clause_began'] ?? 0)).toBeGreaterThanOrEqual(990);
});
