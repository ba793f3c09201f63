import { readWav } from '../audio/wav.ts';

/** Sample rates between which every usual one lies. */
const rates = { min: 8000, max: 48_000 };

/** What a recorded line may be, for people. */
export const acceptedAudio = `a WAV file with one channel of 16-bit PCM (8-bit PCM, A-law and µ-law are read, too) at ${rates.min} to ${rates.max} samples a second`;

/** Why a file cannot be played as a line; null when it can. */
export function lineAudioFlaw(file: Uint8Array): string | null {
  const audio = readWav(file);
  if (audio === null) return 'it is no WAV file of such samples';
  if (audio.tracks.length !== 1) return `it has ${audio.tracks.length} channels`;
  if (audio.sampleRate < rates.min || audio.sampleRate > rates.max)
    return `it has ${audio.sampleRate} samples a second`;
  return audio.tracks[0]?.length === 0 ? 'there is no sound in it' : null;
}
