import { describe, expect, test } from '@jest/globals';
import { wavFile, wavHeader } from '../../../src/domain/audio/wav.ts';
import { acceptedAudio, lineAudioFlaw } from '../../../src/domain/files/line-audio.ts';

const sound = new Int16Array(80).fill(1000);

describe('the audio of a recorded line (contract 15.2)', () => {
  test.each([8000, 11_025, 16_000, 22_050, 24_000, 44_100, 48_000])(
    'may be a WAV file of one channel at %i samples per second',
    (rate) => {
      expect(lineAudioFlaw(wavFile(rate, [sound]))).toBeNull();
    },
  );

  test.each<[string, Uint8Array, string]>([
    ['stereo', wavFile(16_000, [sound, sound]), 'it has 2 channels'],
    ['too few samples', wavFile(4000, [sound]), 'it has 4000 samples per second'],
    ['too many samples', wavFile(96_000, [sound]), 'it has 96000 samples per second'],
    ['silence of no length', wavFile(8000, [new Int16Array()]), 'it contains no sound'],
    ['an MP3', Buffer.from('ID3\u0004'), 'it is not a WAV file with such samples'],
    [
      '24 bits',
      Uint8Array.from(wavHeader({ sampleRate: 8000, channels: 1 }, 6)).with(34, 24),
      'it is not a WAV file with such samples',
    ],
    ['nothing', new Uint8Array(), 'it is not a WAV file with such samples'],
  ])('is refused if it is %s', (_title, file, flaw) => {
    expect(lineAudioFlaw(file)).toBe(flaw);
  });

  test('is described in a refusal', () => {
    expect(acceptedAudio).toBe(
      'a WAV file with one channel of 16-bit PCM (8-bit PCM, A-law and µ-law are read, too) at 8000 to 48000 samples a second',
    );
  });
});
