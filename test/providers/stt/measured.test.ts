import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createStts, type SttSettings } from '../../../src/providers/recognizers.ts';
import { accountedStt, type SttUsage } from '../../../src/providers/stt/measured.ts';
import { createPrometheus } from '../../../src/runtime/prometheus.ts';
import { sumOf } from '../../support/metrics-text.ts';
import { openWatched, silence, spoken, startSttBench, type SttBench } from '../../support/stt-emulator.ts';
import { until } from '../../support/until.ts';

let bench: SttBench;
beforeAll(async () => {
  bench = await startSttBench();
});
afterAll(async () => await bench.close());

function installed(settings: Partial<SttSettings> = {}) {
  const { metrics, scrape } = createPrometheus({ role: 'media', labelValues: {} });
  const stts = createStts({
    settings: {
      provider: 'telnyx',
      model: undefined,
      keys: { telnyx: 'simulated-installed', openai: undefined },
      urls: { telnyx: bench.emulator.telnyxUrl, openai: bench.emulator.openAiUrl },
      ...settings,
    },
    metrics,
  });
  return {
    ...stts,
    sum: async (name: string, labels: Record<string, string> = {}) =>
      sumOf((await scrape()).text, name, labels),
  };
}

describe('the speech recognition of a process', () => {
  test('counts seconds of sound and measures the delay of finals', async () => {
    const { stt, sum, sttModel, hasStt } = installed();
    expect({ sttModel, hasStt, simulated: stt.simulated }).toEqual({
      sttModel: 'nova-3',
      hasStt: true,
      simulated: true,
    });
    const heard = openWatched(stt);
    heard.play(spoken('hello'), silence(700));
    await heard.next('final');
    await heard.session.close();
    expect(await sum('parlance_recognition_audio_seconds_total')).toBeCloseTo(1, 5);
    expect(await sum('parlance_recognition_final_seconds_count')).toBe(1);
    expect(await sum('parlance_recognition_failures_total')).toBe(0);
    await stt.close();
  });

  test('counts replaced connections and failed sessions', async () => {
    const { stt, sum } = installed({ keys: { telnyx: 'simulated-lost', openai: undefined } });
    bench.emulator.faults.set('simulated-lost', [
      { nth: 1, kind: 'gone', afterAudioMs: 100 },
      { nth: 2, kind: 'error', code: '40001', afterAudioMs: 100 },
    ]);
    const heard = openWatched(stt);
    heard.play(silence(400));
    await heard.next('closed');
    expect(await sum('parlance_recognition_reconnects_total', { reason: 'lost' })).toBe(1);
    expect(await sum('parlance_recognition_failures_total', { reason: 'client_error' })).toBe(1);
    await stt.close();
  });

  test("accounts a call's seconds by service and model, without replayed audio", async () => {
    const { customerStts } = installed();
    const usage: SttUsage = {};
    bench.emulator.faults.set('simulated-theirs', [{ nth: 1, kind: 'gone', afterAudioMs: 500 }]);
    const theirs = customerStts({
      provider: 'openai',
      apiKey: 'simulated-theirs',
      model: 'gpt-live-transcribe',
    });
    const heard = openWatched(accountedStt(theirs, { model: 'gpt-live-transcribe', usage }));
    heard.play(spoken('one'), silence(500));
    await until(
      'another connection',
      async () => bench.emulator.log.entries('simulated-theirs').length === 2,
    );
    expect(usage['simulated|||gpt-live-transcribe']).toBeCloseTo(0.68, 5);
    await heard.session.close();
    await theirs.close();
  });

  test('reports whether it is configured', () => {
    expect(installed({ keys: { telnyx: undefined, openai: 'k' } }).hasStt).toBe(false);
    expect(installed({ provider: 'openai', keys: { telnyx: undefined, openai: 'k' } })).toMatchObject({
      hasStt: true,
      sttModel: 'gpt-live-transcribe',
    });
    expect(() => installed().customerStts({ provider: 'whisperer', apiKey: 'k', model: null })).toThrow(
      'The speech recognition vendor is unknown',
    );
  });
});
