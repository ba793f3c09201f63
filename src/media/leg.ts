/**
 * One live stream as the conversation sees it, of a carrier or a browser. Sound is 16-bit linear, mono, in
 * frames of 20 ms. The leg hides codecs, pacing, noise and recording.
 */
export interface VoiceLeg {
  readonly sampleRate: 8000 | 16000;
  readonly generation: number;
  /** Milliseconds of `performance.now()` at which media began. */
  readonly beganAtMs: number;
  readonly playout: Playout;
  /** Delivers every frame in order, with gaps filled with silence; the returned function stops it. */
  onFrame(listener: (frame: HeardFrame) => void): () => void;
  onKey(listener: (digit: string) => void): () => void;
  /** Words that the person typed. A phone has none. */
  onTyped(listener: (text: string) => void): () => void;
  /**
   * Called once when the stream is over (`stop`, a close or a watchdog), or at once if it is over already.
   */
  onGone(listener: (reason: GoneReason) => void): void;
  /** Sends an event to the person's screen (`rtf-*`, contract 6.7); a phone ignores it. */
  show(event: Record<string, unknown>): void;
}

export interface HeardFrame {
  samples: Int16Array;
  /** Position in the stream: milliseconds since it began. */
  mediaMs: number;
}

export type GoneReason = 'stopped' | 'closed' | 'silent_socket' | 'fenced' | 'released';

/** Plays speech to the person by a clock of 20 ms, at most `leadMs` in advance of what they hear. */
export interface Playout {
  /** Appends sound; plays it at once if nothing is before it. */
  add(part: { clauseId: number; samples: Int16Array; isLast: boolean }): void;
  /**
   * Drops what was not sent, makes the other end drop what it has not played (`clear`), and returns how much
   * of each clause was heard.
   */
  clear(): Heard[];
  /** Stops sending and makes the other end drop what it has not played; `resume` continues exactly there. */
  pause(): void;
  resume(): void;
  /** For every clause that began. */
  heard(): Heard[];
  readonly isIdle: boolean;
  on(listener: (event: PlayoutEvent) => void): () => void;
}

export type PlayoutEvent =
  /** Its first frame was sent. */
  | { kind: 'clause_began'; clauseId: number; atMs: number }
  /** Its last sample has been played at the other end, by the clock's estimate. */
  | { kind: 'clause_played'; clauseId: number; atMs: number }
  /** Everything that was added has been played. */
  | { kind: 'drained'; atMs: number };

/** How much of a clause was heard. `totalMs` is null while more of it may follow. */
export interface Heard {
  clauseId: number;
  heardMs: number;
  totalMs: number | null;
}
