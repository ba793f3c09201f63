import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { encodeSpeech } from '../../../emulators/modem/encode-speech.ts';
import { createListener } from '../../../emulators/modem/listener.ts';
import { freshNumber, startCarrierBench, type CarrierBench } from '../../support/carrier-bench.ts';
import { startTestHost, type TestHost } from '../../support/media/host.ts';
import { until } from '../../support/until.ts';

let bench: CarrierBench;
let host: TestHost;
beforeEach(async () => {
  [bench, host] = await Promise.all([startCarrierBench(), startTestHost()]);
});
afterEach(async () => {
  await host.close();
  await bench.close();
});

// guarantee: a-law-line-is-understood
test.each(['PCMU', 'PCMA', 'L16'] as const)(
  'person and agent understand each other on a leg with %s, by a dial and on a stream that was moved',
  async (codec) => {
    const number = freshNumber();
    bench.emulator.persona(number, {
      name: 'speaks twice',
      detectedAs: null,
      faults: { media: { codec } },
      steps: [{ do: 'answer' }, { do: 'say', text: 'Guten Tag.', after: 0 }, { do: 'say', text: 'Bitte?' }],
    });
    host.seat(9);
    const { legId, callControlId } = await bench.dial(number, { stream: { url: host.url(9) } });
    // A busy machine sends late, and a pause within an utterance makes two of it.
    const heard = () =>
      bench.emulator.log
        .entries({ legId, type: 'heard' })
        .map(({ text }) => String(text))
        .join('');
    await talk({ generation: 1, hears: 'Guten Tag.', says: 'Hello there.' });
    await until("the agent's words", () => Promise.resolve(heard() === 'Hello there.'));
    await bench.carrier.stopStreaming({ callControlId, commandId: 'stop' });
    host.seat(9, 2);
    await bench.carrier.startStreaming({
      callControlId,
      commandId: 'start',
      clientState: 'moved',
      stream: { url: host.url(9) },
    });
    await talk({ generation: 2, hears: '', says: 'And again.' });
    const both = 'Hello there.And again.';
    await until('its words on the new stream', () => Promise.resolve(heard().length >= both.length));
    expect(heard()).toBe(both);
  },
);

async function talk({
  generation,
  hears,
  says,
}: {
  generation: number;
  hears: string;
  says: string;
}): Promise<void> {
  const leg = await host.live(9, generation);
  const listener = createListener({ sampleRate: leg.sampleRate, onText: () => undefined });
  leg.onFrame(({ samples }) => listener.push(samples));
  await until("the person's words", () => Promise.resolve(listener.text.trim() === hears));
  leg.playout.add({ clauseId: 1, samples: encodeSpeech(says, leg.sampleRate), isLast: true });
}
