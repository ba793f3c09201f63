import { createKeptSounds } from '../playout/kept-sounds.ts';
import { readSound, type CallRate } from '../playout/read-sound.ts';
import type { RecordedLine } from './ports.ts';

interface Asked {
  organizationId: number;
  recordingId: string;
}

/** Recorded lines of agents, loaded once for all calls of this host. */
export interface RecordedLines {
  /**
   * Null if the recording does not exist or its file is not a sound. Throws if it cannot be read at the moment.
   */
  find(asked: Asked & { sampleRate: CallRate }): Promise<RecordedLine | null>;
}

export function createRecordedLines({
  findLine,
  readFile,
}: {
  findLine: (asked: Asked) => Promise<{ storageKey: string; transcript: string } | null>;
  readFile: (key: string) => Promise<Uint8Array>;
}): RecordedLines {
  const sounds = createKeptSounds(async (key) => await readSound(await readFile(key)));

  return {
    async find({ sampleRate, ...asked }) {
      const line = await findLine(asked);
      const sound = line === null ? null : await sounds.of(line.storageKey);
      return line === null || sound === null
        ? null
        : { samples: sound[sampleRate], text: line.transcript.trim() === '' ? null : line.transcript };
    },
  };
}
