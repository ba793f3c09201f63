import { readSound, type LineRate } from '../playout/read-sound.ts';
import type { RecordedLine } from './ports.ts';

interface Asked {
  organizationId: number;
  recordingId: string;
}

/** Recorded lines of agents, loaded once for all calls of this host. */
export interface RecordedLines {
  /**
   * Null if the recording does not exist or its file is no sound. Throws if it cannot be read at the moment.
   */
  find(asked: Asked & { sampleRate: LineRate }): Promise<RecordedLine | null>;
}

const maxKept = 64;

type Sound = Record<LineRate, Int16Array>;

export function createRecordedLines({
  findLine,
  readFile,
}: {
  findLine: (asked: Asked) => Promise<{ storageKey: string; transcript: string } | null>;
  readFile: (key: string) => Promise<Uint8Array>;
}): RecordedLines {
  const kept = new Map<string, Promise<Sound | null>>();

  /** Files never change: a new recording has a new key. */
  function soundOf(key: string): Promise<Sound | null> {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const reading = readFile(key).then(readSound);
    kept.set(key, reading);
    reading.catch(() => kept.delete(key));
    for (const oldest of [...kept.keys()].slice(0, -maxKept)) kept.delete(oldest);
    return reading;
  }

  return {
    async find({ sampleRate, ...asked }) {
      const line = await findLine(asked);
      const sound = line === null ? null : await soundOf(line.storageKey);
      return line === null || sound === null
        ? null
        : { samples: sound[sampleRate], text: line.transcript.trim() === '' ? null : line.transcript };
    },
  };
}
