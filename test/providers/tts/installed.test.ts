import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  createInstalledTts,
  ttsOf,
  voiceOf,
  type TtsSettings,
} from '../../../src/providers/tts/installed.ts';
import { accountedTts, type TtsUsage } from '../../../src/providers/tts/measured.ts';
import { createPrometheus } from '../../../src/runtime/prometheus.ts';
import { sumOf } from '../../support/metrics-text.ts';
import { recordedTracing } from '../../support/recorded-tracing.ts';
import { hearReply, startTtsBench, textOf, voices, type TtsBench } from '../../support/tts-emulator.ts';
import { until } from '../../support/until.ts';

let bench: TtsBench;
beforeAll(async () => {
  bench = await startTtsBench();
});
afterEach(() => {
  bench.emulator.behaviors.set([]);
  bench.emulator.log.clear();
});
afterAll(async () => await bench.close());

function installed(settings: Partial<TtsSettings> = {}) {
  const { metrics, scrape } = createPrometheus({ role: 'media', labelValues: {} });
  const { tracing, spans } = recordedTracing();
  const parts = createInstalledTts({
    settings: {
      provider: 'google',
      model: undefined,
      voice: undefined,
      language: undefined,
      google: { hasCredentials: false, endpoint: bench.emulator.googleUrl },
      openai: { apiKey: undefined, baseUrl: bench.emulator.openAiUrl },
      ...settings,
    },
    metrics,
    tracing,
  });
  return {
    ...parts,
    spans,
    sum: async (name: string, labels: Record<string, string> = {}) =>
      sumOf((await scrape()).text, name, labels),
  };
}

const voice = voices.google;

describe('the voices of a process', () => {
  test('count characters and measure the time to the first sound', async () => {
    const { tts, sum, spans, close } = installed();
    await hearReply(tts, { voice }, ['Good morning. ', 'How are you?']).ended;
    expect(await sum('parlance_speech_characters_total')).toBe(26);
    expect(await sum('parlance_speech_audio_seconds_total')).toBeCloseTo(26 * 0.06, 5);
    expect(await sum('parlance_speech_first_audio_seconds_count')).toBe(1);
    expect(await sum('parlance_speech_failures_total')).toBe(0);
    expect(spans).toMatchObject([
      {
        name: 'speak',
        timesEnded: 1,
        attributes: {
          'gen_ai.provider.name': 'simulated',
          'parlance.speech.characters': 26,
          'parlance.simulated': true,
        },
      },
    ]);
    expect(JSON.stringify(spans)).not.toContain('morning');
    await close();
  });

  test('count failures by reason, without aborts', async () => {
    const { tts, sum, spans, close } = installed();
    bench.emulator.behaviors.set([{ fault: 'quota', times: 1 }, { rate: 1 }]);
    await hearReply(tts, { voice }, ['Good morning. ']).ended;
    const controller = new AbortController();
    const reply = hearReply(tts, { voice, signal: controller.signal }, ['Good morning. ']);
    await until('the first sound', async () => reply.pieces.length > 0);
    controller.abort();
    await reply.ended;
    expect(await sum('parlance_speech_failures_total')).toBe(1);
    expect(await sum('parlance_speech_failures_total', { reason: 'rate_limit' })).toBe(1);
    expect(spans.map(({ failure }) => failure)).toEqual(['rate_limit', 'aborted']);
    await close();
  });

  test("account a call's characters by service and model", async () => {
    const { tts, close } = installed();
    const usage: TtsUsage = {};
    const accounted = accountedTts(tts, { model: 'chirp_3_hd', usage });
    await hearReply(accounted, { voice }, ['Good morning. ']).ended;
    await hearReply(accounted, { voice }, ['Good day.']).ended;
    expect(usage).toEqual({ 'simulated|||chirp_3_hd': 23 });
    await close();
  });

  test('are those that the operator chose, or missing', async () => {
    const google = installed();
    expect(google).toMatchObject({
      hasTts: true,
      voice: { shownAs: 'simulated', provider: 'google', model: 'chirp_3_hd', voice: null, language: null },
    });
    const openai = installed({
      provider: 'openai',
      voice: 'nova',
      openai: { apiKey: 'sk-1', baseUrl: undefined },
    });
    expect(openai).toMatchObject({
      hasTts: true,
      voice: { shownAs: 'openai', provider: 'openai', model: 'gpt-4o-mini-tts', voice: 'nova' },
    });
    expect(installed({ google: { hasCredentials: false, endpoint: undefined } }).hasTts).toBe(false);
    expect(installed({ google: { hasCredentials: true, endpoint: undefined } }).tts.simulated).toBe(false);
    await google.close();
  });

  test("of a customer use the customer's key, with one connection per key", async () => {
    const parts = installed();
    const theirs = {
      provider: 'openai' as const,
      key: { kind: 'api_key' as const, value: 'simulated-theirs' },
    };
    const tts = ttsOf(parts, theirs);
    expect(ttsOf(parts, theirs)).toBe(tts);
    expect(ttsOf(parts, { provider: 'google', key: null })).toBe(parts.tts);
    const reply = hearReply(
      tts,
      { voice: voiceOf({ model: 'tts-1', voice: 'echo', language: 'en-US', speakingRate: 1.5 }) },
      ['Hello there.'],
    );
    await reply.ended;
    expect(reply.text()).toBe('Hello there.');
    expect(bench.emulator.log.entries()).toMatchObject([
      { service: 'openai', model: 'tts-1', voice: 'echo', speakingRate: 1.5 },
    ]);
    await parts.close();
  });
});

describe('fixed phrases', () => {
  const phrase = { voice, sampleRate: 8000 as const, text: 'Thank you for calling.' };
  const never = () => new AbortController().signal;

  test('are synthesized once for concurrent requests and are ready afterwards', async () => {
    const { clips, close } = installed();
    expect(clips.ready(phrase)).toBeNull();
    const [one, two] = await Promise.all([
      clips.sound(phrase, never()),
      clips.sound({ ...phrase, text: ` ${phrase.text} ` }, never()),
    ]);
    expect(textOf([{ samples: one ?? new Int16Array(0) }], 8000)).toBe(phrase.text);
    expect(two).toBe(one);
    expect(clips.ready(phrase)).toBe(one);
    expect(bench.emulator.log.entries().length).toBe(1);
    await close();
  });

  test('differ by voice, language, pace and rate', async () => {
    const { clips, close } = installed();
    await clips.sound(phrase, never());
    for (const other of [
      { ...phrase, sampleRate: 16000 as const },
      { ...phrase, voice: { ...voice, voice: 'Puck' } },
      { ...phrase, voice: { ...voice, speakingRate: 1.2 } },
      { ...phrase, text: 'Goodbye.' },
    ])
      expect(clips.ready(other)).toBeNull();
    await close();
  });

  test("are not kept after a failure, and one caller's abort does not affect others", async () => {
    const { clips, close } = installed();
    bench.emulator.behaviors.set([{ fault: 'quota', times: 1 }]);
    await expect(clips.sound(phrase, never())).rejects.toMatchObject({ reason: 'rate_limit' });
    const impatient = new AbortController();
    const first = clips.sound(phrase, impatient.signal);
    const second = clips.sound(phrase, never());
    impatient.abort();
    await expect(first).rejects.toMatchObject({ reason: 'aborted' });
    expect((await second).length).toBeGreaterThan(0);
    await close();
  });

  test('are ready after priming, even if one of them failed', async () => {
    const { clips, close } = installed();
    bench.emulator.behaviors.set([{ fault: 'server_error', times: 1 }]);
    const other = { ...phrase, text: 'Goodbye.' };
    await clips.prime([phrase, other], never());
    expect(clips.ready(phrase)).toBeNull();
    expect(clips.ready(other)).not.toBeNull();
    await close();
  });
});
