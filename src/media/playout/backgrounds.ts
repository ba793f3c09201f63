import { officeSound } from '../../domain/audio/office-sound.ts';
import type { BackgroundChoice } from '../../services/media/index.ts';
import type { Background } from '../server/deps.ts';
import { readSound, type LineRate } from './read-sound.ts';

/** Background sounds of agents, loaded once for all calls of this host. */
export interface Backgrounds {
  /** Null if the file is no sound. Throws if the file cannot be read. */
  of(choice: BackgroundChoice): Promise<Background | null>;
}

/** Half a minute of stereo at studio quality; longer loops are cut. */
const maxFileBytes = 6 * 1024 * 1024;
const maxKept = 16;

/** `readFile` returns the beginning of an uploaded file; null when there is none. */
export function createBackgrounds({
  readFile,
}: {
  readFile: (key: string, maxBytes: number) => Promise<Uint8Array | null>;
}): Backgrounds {
  const office = { 8000: officeSound(8000), 16000: officeSound(16_000) };
  const kept = new Map<string, Promise<Record<LineRate, Int16Array> | null>>();

  function loopsOf(key: string): Promise<Record<LineRate, Int16Array> | null> {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const loading = load(key);
    kept.set(key, loading);
    loading.catch(() => kept.delete(key));
    for (const oldest of [...kept.keys()].slice(0, -maxKept)) kept.delete(oldest);
    return loading;
  }

  async function load(key: string): Promise<Record<LineRate, Int16Array> | null> {
    const file = await readFile(key, maxFileBytes);
    return file === null ? null : await readSound(file);
  }

  return {
    async of({ volume, storageKey }) {
      const loops = storageKey === null ? office : await loopsOf(storageKey);
      return loops === null ? null : { volume, loop: (sampleRate) => loops[sampleRate] };
    },
  };
}
