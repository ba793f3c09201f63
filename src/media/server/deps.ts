import type { Logger } from '../../runtime/logger.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import type { OpenedStream, StreamRequest, WebCall } from '../../services/media/index.ts';
import type { FrameClock } from '../playout/frame-clock.ts';
import type { GrowingFile } from '../recording/recorder.ts';
import type { SeatedCall, Sessions } from '../sessions.ts';

/** What a socket needs of its host. Everything that takes time rejects with an error of the family. */
export interface StreamDeps {
  sessions: Sessions;
  clock: FrameClock;
  log: Logger;
  metrics: Metrics;
  /** From our clock to the person's ear, until it is measured. */
  latencyMs: number;
  openStream: (request: StreamRequest) => Promise<OpenedStream>;
  /** A browser comes to this host with a token; the place is taken for it. */
  openWebCall: (request: {
    agentId: number;
    callId: number;
    token: string;
  }) => Promise<
    { kind: 'opened'; call: WebCall; generation: number } | { kind: 'refused'; reason: WebRefusal }
  >;
  /** Begins the conversation of a browser that has its stream. */
  startWebCall: (call: WebCall & { generation: number }) => Promise<void>;
  noteMedia: (input: SeatedCall & { at: Date }) => Promise<void>;
  /** The background of the call's agent, as a loop at that rate; null = none. */
  background: (call: SeatedCall) => Promise<Background | null>;
  /** Null = nothing is recorded. */
  openRecording:
    | ((call: SeatedCall, form: { sampleRate: number; beganAt: Date }) => Promise<GrowingFile>)
    | null;
}

/** `over`: the call is. `full`: this host is. `limit`: the organization has as many calls as it may have. */
export type WebRefusal = 'unknown' | 'wrong_token' | 'taken' | 'over' | 'full' | 'limit';

export interface Background {
  volume: number;
  loop: (sampleRate: 8000 | 16000) => Int16Array;
}
