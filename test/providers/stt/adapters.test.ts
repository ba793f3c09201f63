import { createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Fault } from '../../../emulators/stt/faults.ts';
import { createTelnyxStt } from '../../../src/providers/carrier/telnyx/stt.ts';
import {
  openWatched,
  silence,
  spoken,
  startSttBench,
  type SttBench,
  type SttVendor,
} from '../../support/stt-emulator.ts';
import { until } from '../../support/until.ts';

let bench: SttBench;
beforeAll(async () => {
  bench = await startSttBench();
});
afterAll(async () => await bench.close());

const vendors = ['telnyx', 'openai'] satisfies SttVendor[];

/** What the vendor received, once it has. */
async function parametersOf(key: string): Promise<Record<string, unknown>> {
  return await until('parameters', async () => {
    const parameters = bench.emulator.log.entries(key)[0]?.parameters ?? {};
    return Object.keys(parameters).length > 0 && parameters;
  });
}

describe('Telnyx', () => {
  async function asked(options: { model: string | null; keyTerms: string[] }) {
    const { stt, key } = bench.sttThat('telnyx');
    const heard = openWatched(stt, { language: 'de-DE', ...options });
    heard.play(silence(60));
    const parameters = await parametersOf(key);
    await heard.session.close();
    return { parameters, controls: bench.emulator.log.entries(key)[0]?.controls };
  }

  test('gets everything in the URL: engine, model, language, format, rate, interims, endpointing and each key term', async () => {
    const { parameters, controls } = await asked({ model: null, keyTerms: ['Parlance', 'Dr. Müller & Co'] });
    expect(parameters).toMatchObject({
      transcription_engine: 'Deepgram',
      model: 'nova-3',
      language: 'de-DE',
      input_format: 'linear16',
      sample_rate: '8000',
      interim_results: 'true',
      endpointing: '300',
      keyterm: ['Parlance', 'Dr. Müller & Co'],
    });
    expect(controls).toEqual(['CloseStream']);
  });

  test('gets keywords for a model without key terms', async () => {
    expect((await asked({ model: 'nova-2', keyTerms: ['Parlance', 'Temporal'] })).parameters).toMatchObject({
      model: 'nova-2',
      keywords: 'Parlance,Temporal',
      keyterm: [],
    });
  });

  test('gets keep-alive messages while no audio flows', async () => {
    const { stt, key } = bench.sttThat('telnyx', [], { timing: { heartbeatMs: 50 } });
    const heard = openWatched(stt);
    const controls = await until(
      'a sign of life',
      async () =>
        bench.emulator.log.entries(key)[0]?.controls.length !== 0 &&
        bench.emulator.log.entries(key)[0]?.controls,
    );
    expect(controls).toContain('KeepAlive');
    await heard.session.close();
  });

  test('gets no second request after it refused a parameter', async () => {
    const { stt } = bench.sttThat('telnyx');
    const heard = openWatched(stt, { model: '!' });
    heard.play(silence(60));
    await heard.next('closed');
    expect(heard.events).toContainEqual({
      kind: 'fault',
      error: expect.objectContaining({
        retryable: false,
        reason: 'client_error',
        message: 'The speech recognition reported an error (40007)',
      }),
    });
  });
});

describe('OpenAI', () => {
  test('gets everything in one message before any audio, with two-letter languages', async () => {
    const { stt, key } = bench.sttThat('openai');
    const heard = openWatched(stt, { language: 'de-DE', keyTerms: ['Parlance'] });
    heard.play(silence(60));
    expect(await parametersOf(key)).toEqual({
      format: { type: 'audio/pcmu' },
      model: 'gpt-live-transcribe',
      language: 'de',
      keywords: ['Parlance'],
    });
    await heard.session.close();
  });

  test('reports positions of segments in the media, counted from the first frame', async () => {
    const { stt } = bench.sttThat('openai');
    const heard = openWatched(stt);
    let mediaMs = 40_000;
    for (const sound of [silence(500), spoken('here'), silence(500)]) {
      heard.session.push(sound, mediaMs);
      mediaMs += (sound.length * 1000) / 8000;
    }
    const { startMs, endMs } = await heard.next('final');
    expect(startMs).toBeGreaterThanOrEqual(40_500);
    expect(startMs).toBeLessThanOrEqual(40_620);
    expect(endMs).toBeGreaterThanOrEqual(40_700);
    expect(endMs).toBeLessThanOrEqual(40_800);
    await heard.session.close();
  });

  test('reports no fault when a final is requested during silence', async () => {
    const { stt } = bench.sttThat('openai', []);
    const heard = openWatched(stt);
    heard.session.finalize();
    heard.play(spoken('go on'), silence(600));
    expect(await heard.next('final')).toMatchObject({ text: 'go on' });
    await heard.session.close();
  });
});

describe.each(vendors)('the connection to %s', (vendor) => {
  const faults: [string, Fault, object][] = [
    ['is lost', { kind: 'gone', afterAudioMs: 200 }, { retryable: true, reason: 'lost' }],
    [
      'reports an error of the server',
      { kind: 'error', afterAudioMs: 200, code: '50012' },
      {
        retryable: true,
        reason: 'server_error',
        message: 'The speech recognition reported an error (50012)',
      },
    ],
    [
      'reports an error in our request',
      { kind: 'error', afterAudioMs: 200, code: '40002' },
      { retryable: false, reason: 'client_error' },
    ],
    [
      'is refused by a rate limit',
      { kind: 'refused', status: 429 },
      { retryable: true, reason: 'rate_limit' },
    ],
    [
      'is refused by the server',
      { kind: 'refused', status: 503 },
      { retryable: true, reason: 'server_error' },
    ],
    ['is refused as unknown', { kind: 'refused', status: 404 }, { retryable: false, reason: 'client_error' }],
  ];
  test.each(faults)('ends the session with one fault when it %s', async (_what, fault, error) => {
    const { stt } = bench.sttThat(vendor, [fault]);
    const heard = openWatched(stt);
    heard.play(spoken('hello there'));
    await heard.next('closed');
    expect(heard.events.filter(({ kind }) => kind === 'fault')).toEqual([
      { kind: 'fault', error: expect.objectContaining({ provider: 'stt', ...error }) },
    ]);
    expect(heard.events.slice(-2).map(({ kind }) => kind)).toEqual(['fault', 'closed']);
  });

  test('to an unreachable server is a retryable fault', async () => {
    const { stt } = bench.sttThat(vendor, [], { url: 'ws://127.0.0.1:1' });
    const heard = openWatched(stt);
    await heard.next('closed');
    expect(heard.events[0]).toMatchObject({
      kind: 'fault',
      error: { retryable: true, reason: 'unreachable' },
    });
  });

  test('ends after two heartbeats without an answer, even if the socket still accepts audio', async () => {
    const { stt } = bench.sttThat(vendor, [{ kind: 'half_open', afterAudioMs: 100 }], {
      timing: { heartbeatMs: 100 },
    });
    const heard = openWatched(stt);
    heard.play(silence(400));
    await heard.next('closed');
    expect(heard.events.at(-2)).toMatchObject({
      kind: 'fault',
      error: { retryable: true, reason: 'lost', message: 'The speech recognition stopped answering' },
    });
  });

  test('has a bounded audio queue: the oldest frames are dropped and counted', async () => {
    let dropped = 0;
    const { stt, key } = bench.sttThat(vendor, [], {
      timing: { queueMs: 1_000 },
      onDropped: (frames) => (dropped += frames),
    });
    const heard = openWatched(stt);
    // Nothing is open yet, so all of it waits.
    heard.play(spoken('lost words'), silence(100), spoken('kept here'), silence(600));
    await heard.next('final');
    expect(heard.finals().join(' ')).toMatch(/here$/);
    expect(heard.finals().join(' ')).not.toContain('lost');
    expect(dropped).toBeGreaterThan(10);
    expect(bench.emulator.log.entries(key)[0]?.audioMs).toBeLessThanOrEqual(1_000);
    await heard.session.close();
  });
});

test('times out if the server accepts it but never opens the socket', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const stt = createTelnyxStt({
    apiKey: 'simulated',
    url: `ws://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`,
    timing: { connectMs: 100 },
  });
  const heard = openWatched(stt);
  await heard.next('closed');
  expect(heard.events[0]).toMatchObject({ kind: 'fault', error: { retryable: true, reason: 'timeout' } });
  await stt.close();
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});
