const sampleRate = 8000;
const secondsOfNote = 1;
/** A slow arpeggio of C major, in hertz. */
const notes = [261.6, 329.6, 392, 329.6];
const loudness = 0.12;

let made: string | null = null;

/** Hold music: four soft notes to be played in a loop, as a 16-bit WAV in base64. */
export function holdMusic(): string {
  made ??= wav(notes.flatMap(note)).toString('base64');
  return made;
}

/** Swells and fades, so that the loop has no seam. */
function note(hertz: number): number[] {
  const count = sampleRate * secondsOfNote;
  return Array.from(
    { length: count },
    (_, index) =>
      Math.sin((2 * Math.PI * hertz * index) / sampleRate) * Math.sin((Math.PI * index) / count) * loudness,
  );
}

function wav(samples: readonly number[]): Buffer {
  const header = Buffer.alloc(44);
  const bytes = samples.length * 2;
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + bytes, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(bytes, 40);
  const body = Buffer.alloc(bytes);
  samples.forEach((sample, index) => body.writeInt16LE(Math.round(sample * 32_767), index * 2));
  return Buffer.concat([header, body]);
}
