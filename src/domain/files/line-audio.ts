import { readWav } from '../audio/wav.ts';

/** The accepted range of sample rates. */
const rates = { min: 8000, max: 48_000 };

/** The accepted format of a recorded line, as text for users. */
export const acceptedAudio = `a WAV file with one channel of 16-bit PCM (8-bit PCM, A-law and µ-law are read, too) at ${rates.min} to ${rates.max} samples a second`;

/** Why a file cannot be played as a line; null if it can. */
export function lineAudioFlaw(file: Uint8Array): string | null {
  const audio = readWav(file);
  if (audio === null) return 'it is not a WAV file with such samples';
  if (audio.tracks.length !== 1) return `it has ${audio.tracks.length} channels`;
  if (audio.sampleRate < rates.min || audio.sampleRate > rates.max)
    return `it has ${audio.sampleRate} samples per second`;
  return audio.tracks[0]?.length === 0 ? 'it contains no sound' : null;
}
