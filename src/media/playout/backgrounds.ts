import { officeSound } from '../../domain/audio/office-sound.ts';
import type { BackgroundChoice } from '../../services/media/index.ts';
import type { Background } from '../server/deps.ts';
import { createKeptSounds } from './kept-sounds.ts';
import { readSound } from './read-sound.ts';

/** Background sounds of agents, loaded once for all calls of this host. */
export interface Backgrounds {
  /** Null if the file is not a sound. Throws if the file cannot be read. */
  of(choice: BackgroundChoice): Promise<Background | null>;
}

/** Half a minute of stereo at studio quality; longer loops are cut. */
const maxFileBytes = 6 * 1024 * 1024;

/** `readFile` returns the beginning of an uploaded file; null when there is none. */
export function createBackgrounds({
  readFile,
}: {
  readFile: (key: string, maxBytes: number) => Promise<Uint8Array | null>;
}): Backgrounds {
  const office = { 8000: officeSound(8000), 16000: officeSound(16_000) };
  const loops = createKeptSounds(async (key) => {
    const file = await readFile(key, maxFileBytes);
    return file === null ? null : await readSound(file);
  });

  return {
    async of({ volume, storageKey }) {
      const sound = storageKey === null ? office : await loops.of(storageKey);
      return sound === null ? null : { volume, loop: (sampleRate) => sound[sampleRate] };
    },
  };
}
