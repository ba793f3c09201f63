/** A piece of a recording: what one media host heard and said. */
export interface RecordedPiece {
  /** Milliseconds since 1970. */
  beganAtMs: number;
  sampleRate: number;
  /** Per channel. */
  samples: number;
}

export interface PlannedRecording {
  sampleRate: 8000 | 16000;
  /** Per channel. */
  samples: number;
  /** In order. `from` and `samples` count samples of the whole recording; the gaps are silent. */
  parts: { piece: number; from: number; samples: number }[];
}

/** Longer gaps between two hosts are shortened: they come from a wrong clock. */
const maxGapMs = 60_000;

/**
 * Places the pieces of a call in its recording, each at its time. A piece ends where the next one begins,
 * because the caller heard the newer host. Returns null if there are no samples.
 */
export function planRecording(pieces: readonly RecordedPiece[]): PlannedRecording | null {
  const order = pieces
    .map((piece, index) => ({ ...piece, index }))
    .filter(({ samples }) => samples > 0)
    .toSorted((one, other) => one.beganAtMs - other.beganAtMs);
  const [first] = order;
  if (first === undefined) return null;
  const sampleRate = order.some((piece) => piece.sampleRate > 8000) ? 16_000 : 8000;
  const parts: PlannedRecording['parts'] = [];
  let end = 0;
  for (const { beganAtMs, index, samples, sampleRate: rate } of order) {
    const wanted = Math.round(((beganAtMs - first.beganAtMs) * sampleRate) / 1000);
    const from = Math.min(wanted, end + Math.round((maxGapMs * sampleRate) / 1000));
    const last = parts.at(-1);
    // guarantee: recording-pieces-placed-by-time
    if (last !== undefined) last.samples = Math.min(last.samples, Math.max(0, from - last.from));
    const length = Math.round((samples * sampleRate) / rate);
    parts.push({ piece: index, from, samples: length });
    end = from + length;
  }
  return { sampleRate, samples: end, parts };
}
