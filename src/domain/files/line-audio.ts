import { readWavHeader } from '../audio/wav.ts';

/** The accepted range of sample rates, also of background sounds. */
export const acceptedRates = { min: 8000, max: 48_000 };

/** The header of an accepted file is within its first bytes. */
export const lineHeaderBytes = 65_536;

/** The accepted format of a recorded line, as text for users. */
export const acceptedAudio = `a WAV file with one channel of 16-bit PCM (8-bit PCM, A-law and µ-law are read, too) at ${acceptedRates.min} to ${acceptedRates.max} samples a second`;

/** Why a file cannot be played as a line, by its first bytes; null if it can. */
export function lineAudioFlaw(beginning: Uint8Array): string | null {
  const sound = readWavHeader(beginning);
  if (sound === null) return 'it is not a WAV file with such samples';
  if (sound.channels !== 1) return `it has ${sound.channels} channels`;
  if (!isAcceptedRate(sound.sampleRate)) return `it has ${sound.sampleRate} samples per second`;
  return sound.bytes < 2 ? 'it contains no sound' : null;
}

export function isAcceptedRate(sampleRate: number): boolean {
  return sampleRate >= acceptedRates.min && sampleRate <= acceptedRates.max;
}
