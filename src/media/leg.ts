/**
 * What the conversation sees of one live stream, whoever is at its other end: a carrier's socket or a
 * browser's. Sound is 16-bit linear, mono, in frames of 20 ms; codecs, pacing, noise and recording are behind
 * it.
 */
export interface VoiceLeg {
  readonly sampleRate: 8000 | 16000;
  readonly generation: number;
  /** Milliseconds of `performance.now()` at which media began. */
  readonly beganAtMs: number;
  readonly playout: Playout;
  /** Told of each frame that came, in order, gaps filled with silence; the answer stops it. */
  onFrame(listener: (frame: HeardFrame) => void): () => void;
  onKey(listener: (digit: string) => void): () => void;
  /** The stream is over: `stop`, a close, or a watchdog. Told once; at once if it is over already. */
  onGone(listener: (reason: GoneReason) => void): void;
  /** Something for the person's own screen (`rtf-*`, contract 6.7); a telephone ignores it. */
  show(event: Record<string, unknown>): void;
}

export interface HeardFrame {
  samples: Int16Array;
  /** Position in the stream, milliseconds since it began. */
  mediaMs: number;
}

export type GoneReason = 'stopped' | 'closed' | 'silent_socket' | 'fenced' | 'released';

/** What is said to the person, by a 20 ms clock that is at most `leadMs` ahead of what they hear. */
export interface Playout {
  /** Appends sound; plays at once when nothing is before it. */
  add(part: { clauseId: number; samples: Int16Array; isLast: boolean }): void;
  /**
   * Drops what was not sent, tells the other end to drop what was (`clear`), and says how far each clause was
   * heard.
   */
  clear(): Heard[];
  /**
   * Stops sending where it is, dropping what the other end has not played yet; `resume` goes on exactly
   * there.
   */
  pause(): void;
  resume(): void;
  /** Of every clause that was begun. */
  heard(): Heard[];
  readonly isIdle: boolean;
  on(listener: (event: PlayoutEvent) => void): () => void;
}

export type PlayoutEvent =
  /** Its first frame is on the wire. */
  | { kind: 'clause_began'; clauseId: number; atMs: number }
  /** Its last sample has been played at the other end, as far as the clock can tell. */
  | { kind: 'clause_played'; clauseId: number; atMs: number }
  /** All that was added has been played. */
  | { kind: 'drained'; atMs: number };

/** How much of a clause was heard. `totalMs` is null while more of it may come. */
export interface Heard {
  clauseId: number;
  heardMs: number;
  totalMs: number | null;
}
