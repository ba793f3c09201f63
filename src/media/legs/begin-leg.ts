import { setTimeout as pause } from 'node:timers/promises';
import { createAmbientSound } from '../../domain/audio/mix.ts';
import type { GoneReason } from '../leg.ts';
import { createPlayout, type LegPlayout, type Wire } from '../playout/playout.ts';
import { createRecorder } from '../recording/recorder.ts';
import type { Background, StreamDeps } from '../server/deps.ts';
import type { Session } from '../sessions.ts';
import { createHeardStream, type HeardStream } from './heard-stream.ts';
import { createLeg, type FedLeg } from './voice-leg.ts';

export interface NewLeg {
  deps: StreamDeps;
  session: Session;
  sampleRate: 8000 | 16000;
  decode: (bytes: Uint8Array) => Int16Array;
  wire: Wire;
  background: Background | null;
  show: (event: Record<string, unknown>) => void;
}

/** A live stream: its leg, the caller's sound, and its playout. */
export interface BegunLeg {
  leg: FedLeg;
  heard: HeardStream;
  playout: LegPlayout;
}

/**
 * Connects the parts of a stream: playout with background, recording, and the caller's frames. The session is
 * live when this returns.
 */
export function beginLeg({ deps, session, sampleRate, decode, wire, background, show }: NewLeg): BegunLeg {
  const { clock, log, metrics, openRecording } = deps;
  const { callId, organizationId, generation } = session;
  const call = { callId, organizationId, generation };
  const beganAtMs = clock.now();
  const beganAt = new Date();
  const onFault = (error: unknown) => log.error({ ...call, err: error }, 'A live stream failed');
  const recorder =
    openRecording === null
      ? null
      : createRecorder({
          sampleRate,
          beganAtMs,
          file: openRecording(call, { sampleRate, beganAt }),
          onFault: noteLoss,
        });
  const noise =
    background === null
      ? undefined
      : createAmbientSound({ loop: background.loop(sampleRate), volume: background.volume });

  function noteLoss(error: unknown): void {
    metrics.count('parlance_media_recording_faults_total', {});
    log.warn({ ...call, err: error }, 'A piece of a recording was lost');
  }

  const playout = createPlayout({
    sampleRate,
    clock,
    wire,
    latencyMs: deps.latencyMs,
    addNoise: noise === undefined ? undefined : (frame) => void noise.addTo(frame),
    onHeard: (samples, atMs) => recorder?.said(samples, atMs),
    onLate: (frames) => metrics.count('parlance_media_frames_late_total', {}, frames),
  });
  const onEnd = (_reason: GoneReason) => void recorder?.close();
  const leg = createLeg({ sampleRate, generation, beganAtMs, playout, show, onEnd, onFault });
  const heard = createHeardStream({
    sampleRate,
    decode,
    elapsedMs: () => clock.now() - beganAtMs,
    onFrame(frame) {
      recorder?.heard(frame);
      leg.hear(frame);
    },
    onFault: (fate, frames) => metrics.count('parlance_media_frames_faulty_total', { fate }, frames),
  });
  session.begin(leg);
  void noteMedia(deps, { ...call, at: beganAt });
  return { leg, heard, playout };
}

const noteAgainMs = 500;

/** Retries until it succeeds, also after the end of the stream: that media flowed proves the answer. */
async function noteMedia(
  { noteMedia: note, log }: StreamDeps,
  began: Parameters<StreamDeps['noteMedia']>[0],
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await note(began);
    } catch (error) {
      if (attempt === 1)
        log.warn({ ...began, err: error }, 'A call cannot be told that its media began; retries continue');
    }
    await pause(noteAgainMs, undefined, { ref: false });
  }
}
