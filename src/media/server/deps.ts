import type { Logger } from '../../runtime/logger.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import type { OpenedStream, StreamRequest, WebCall } from '../../services/media/index.ts';
import type { FrameClock } from '../playout/frame-clock.ts';
import type { GrowingFile } from '../recording/recorder.ts';
import type { SeatedCall, Sessions } from '../sessions.ts';

/** What a socket needs from its host. Promises reject with an AppError. */
export interface StreamDeps {
  sessions: Sessions;
  clock: FrameClock;
  log: Logger;
  metrics: Metrics;
  /** Estimated time from our clock to the person's ear, used until it is measured. */
  latencyMs: number;
  openStream: (request: StreamRequest) => Promise<OpenedStream>;
  /** Origins whose pages may open the socket of a browser's call. */
  webOrigins: readonly string[];
  /** Checks the token of a browser and takes a seat at this host for its call. */
  openWebCall: (request: {
    agentId: number;
    callId: number;
    token: string;
  }) => Promise<
    { kind: 'opened'; call: WebCall; generation: number } | { kind: 'refused'; reason: WebRefusal }
  >;
  /** Starts the Workflow of a browser's call, once its stream is live. */
  startWebCall: (call: WebCall & { generation: number }) => Promise<void>;
  noteMedia: (input: SeatedCall & { at: Date }) => Promise<void>;
  /** The background of the call's agent, as a loop at each rate; null when it has none. */
  background: (call: SeatedCall) => Promise<Background | null>;
  /** Null when this host does not record. */
  openRecording:
    | ((call: SeatedCall, form: { sampleRate: number; beganAt: Date }) => Promise<GrowingFile>)
    | null;
}

/**
 * `over`: the call has ended. `full`: this host is full. `limit`: the organization has its maximum of calls.
 */
export type WebRefusal = 'unknown' | 'wrong_token' | 'taken' | 'over' | 'full' | 'limit';

export interface Background {
  volume: number;
  loop: (sampleRate: 8000 | 16000) => Int16Array;
}
