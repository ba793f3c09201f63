import type { Sound } from './read-sound.ts';

/** Sounds of files, which never change: loaded once for all calls of this host, within a limit of memory. */
export interface KeptSounds {
  /** Null if the file is not a sound. Throws if it cannot be read at the moment. */
  of(key: string): Promise<Sound | null>;
}

const keptBytes = 128 * 1024 * 1024;
const maxKept = 64;

export function createKeptSounds(
  load: (key: string) => Promise<Sound | null>,
  maxBytes: number = keptBytes,
): KeptSounds {
  const kept = new Map<string, { sound: Promise<Sound | null>; bytes: number }>();

  function dropOldest(): void {
    let bytes = [...kept.values()].reduce((sum, each) => sum + each.bytes, 0);
    for (const [key, each] of kept) {
      if (kept.size <= maxKept && (bytes <= maxBytes || kept.size === 1)) return;
      kept.delete(key);
      bytes -= each.bytes;
    }
  }

  async function loaded(key: string): Promise<Sound | null> {
    try {
      const sound = await load(key);
      const entry = kept.get(key);
      if (entry !== undefined && sound !== null)
        entry.bytes = sound[8000].byteLength + sound[16000].byteLength;
      return sound;
    } catch (error) {
      kept.delete(key);
      throw error;
    } finally {
      dropOldest();
    }
  }

  return {
    async of(key) {
      const known = kept.get(key);
      if (known !== undefined) return await known.sound;
      const sound = loaded(key);
      kept.set(key, { sound, bytes: 0 });
      return await sound;
    },
  };
}
