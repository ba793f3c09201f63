import { describe, expect, it } from '@jest/globals';
import { encodeSpeech } from '../../../emulators/modem/encode-speech.ts';
import { decodeMuLaw, encodeMuLaw } from '../../../src/domain/audio/g711.ts';
import { createAmbientSound } from '../../../src/domain/audio/mix.ts';
import { officeSound } from '../../../src/domain/audio/office-sound.ts';
import { createFrameCutter, joinSamples } from '../../../src/domain/audio/samples.ts';
import {
  followVoice,
  hearFrame,
  measureFrame,
  noVoice,
  type VoiceEvent,
} from '../../../src/domain/audio/voice-activity.ts';
import { seededRandom } from '../../support/seed.ts';

const silence = (ms: number): Int16Array => new Int16Array(ms * 8);
const noise = (ms: number, level: number, random: () => number): Int16Array =>
  silence(ms).map(() => Math.round((random() * 2 - 1) * level * Math.sqrt(3)));
const tone = (ms: number, hertz: number, level: number): Int16Array =>
  silence(ms).map((_, index) =>
    Math.round(level * Math.SQRT2 * Math.sin((2 * Math.PI * hertz * index) / 8000)),
  );
const voice = (ms: number): Int16Array =>
  encodeSpeech('x'.repeat(Math.ceil(ms / 60)), 8000).subarray(0, ms * 8);

/** Each event with the end of its frame in ms. */
function events(samples: Int16Array): [VoiceEvent, number][] {
  const found: [VoiceEvent, number][] = [];
  let state = noVoice;
  for (const [index, frame] of createFrameCutter(160).push(samples).entries()) {
    const next = hearFrame(state, measureFrame(frame, 8000));
    if (next.event !== null) found.push([next.event, (index + 1) * 20]);
    state = next.state;
  }
  return found;
}

describe('voice activity', () => {
  it('starts after 160 ms of voice and stops after 200 ms of silence', () => {
    expect(events(joinSamples([silence(500), voice(1000), silence(500)]))).toEqual([
      ['voice_started', 660],
      ['voice_stopped', 1700],
    ]);
  });

  it('tolerates a quiet frame at the start and pauses under 200 ms later', () => {
    expect(
      events(
        joinSamples([
          silence(500),
          voice(100),
          silence(20),
          voice(400),
          silence(180),
          voice(300),
          silence(500),
        ]),
      ),
    ).toEqual([
      ['voice_started', 700],
      ['voice_stopped', 1700],
    ]);
  });

  it('does not take a click, a hum or a faint hiss for a voice', () => {
    const random = seededRandom('voice-activity-nothing');
    expect(events(joinSamples([silence(500), voice(60), silence(500), voice(100), silence(500)]))).toEqual(
      [],
    );
    expect(events(joinSamples([silence(500), tone(2000, 50, 6000)]))).toEqual([]);
    expect(events(joinSamples([noise(2000, 120, random), noise(2000, 200, random)]))).toEqual([]);
  });

  it('detects a quiet voice in a quiet call', () => {
    expect(events(joinSamples([silence(500), tone(1000, 300, 400), silence(400)]))).toEqual([
      ['voice_started', 660],
      ['voice_stopped', 1700],
    ]);
  });

  it('adapts to a noisy call and detects a voice above the noise', () => {
    const random = seededRandom('voice-activity-noise');
    const background = joinSamples([noise(20_000, 600, random)]);
    const speech = voice(1000);
    const mixed = background.map((sample, index) => sample + (speech[index - 15_000 * 8] ?? 0));
    const found = events(mixed);
    expect(found.at(-2)).toEqual(['voice_started', 15_160]);
    expect(found.at(-1)?.[0]).toBe('voice_stopped');
    expect(found.at(-1)?.[1]).toBeLessThanOrEqual(16_260);
  });

  it('detects a voice through the built-in office background and the codec of a phone call', () => {
    const ambient = createAmbientSound({ loop: officeSound(8000), volume: 0.3 });
    const quiet = ambient.addTo(silence(8000));
    const found = events(
      decodeMuLaw(
        encodeMuLaw(joinSamples([quiet, ambient.addTo(voice(1000)), ambient.addTo(silence(1000))])),
      ),
    ).filter(([, atMs]) => atMs > 5000);
    expect(found.map(([event]) => event)).toEqual(['voice_started', 'voice_stopped']);
    expect(found[0]?.[1]).toBe(8160);
  });

  it('keeps detecting a voice that speaks for 30 s without a pause', () => {
    expect(events(joinSamples([silence(500), voice(30_000), silence(400)]))).toEqual([
      ['voice_started', 660],
      ['voice_stopped', 30_700],
    ]);
  });

  it('marks every frame of a detected voice except the pauses', () => {
    const isVoice = followVoice(8000);
    const sound = joinSamples([silence(100), voice(400), silence(100), voice(100), silence(300)]);
    const heard = Array.from({ length: 50 }, (_, index) =>
      isVoice(sound.subarray(index * 160, (index + 1) * 160)),
    );
    const spans = heard.flatMap((is, index) => (is !== (heard[index - 1] ?? false) ? [index * 20] : []));
    expect(spans).toEqual([240, 500, 600, 700]);
  });

  it('reports nothing for no samples', () => {
    expect(measureFrame(new Int16Array(0), 8000)).toEqual({ level: 0, zeroCrossings: 0 });
  });
});
