import { createResampler } from '../../../../domain/audio/resample.ts';
import { bytesOf, samplesOf } from '../../../../domain/audio/pcm.ts';
import { clip } from '../../../../domain/audio/samples.ts';
import type { PlannedRecording } from '../../../../domain/audio/recording-plan.ts';
import { wavHeader } from '../../../../domain/audio/wav.ts';
import type { RecordingTrack } from '../../../../domain/files/key.ts';

/** A piece as the storage holds it: 16-bit stereo PCM, caller left, agent right. */
export interface StoredPiece {
  sampleRate: number;
  read: () => AsyncIterable<Uint8Array>;
}

const silence = new Int16Array(8000);

/** Streams one track of a whole recording as a WAV file: memory does not grow with the call's length. */
export async function* trackFile({
  plan,
  pieces,
  track,
}: {
  plan: PlannedRecording;
  pieces: readonly StoredPiece[];
  track: RecordingTrack;
}): AsyncGenerator<Uint8Array> {
  yield wavHeader({ sampleRate: plan.sampleRate, channels: 1 }, plan.samples * 2);
  let at = 0;
  for (const { piece, from, samples } of plan.parts) {
    yield* silent(from - at);
    const stored = pieces[piece];
    if (stored !== undefined) yield* partOf({ stored, track, sampleRate: plan.sampleRate, samples });
    at = from + samples;
  }
}

function* silent(samples: number): Generator<Uint8Array> {
  for (let left = samples; left > 0; left -= silence.length)
    yield bytesOf(silence.subarray(0, Math.min(left, silence.length)), 'little');
}

/**
 * Exactly `samples` samples of a piece: cut off when it holds more, followed by silence when it holds fewer.
 */
async function* partOf({
  stored,
  track,
  sampleRate,
  samples,
}: {
  stored: StoredPiece;
  track: RecordingTrack;
  sampleRate: 8000 | 16000;
  samples: number;
}): AsyncGenerator<Uint8Array> {
  const resampler = createResampler({ from: stored.sampleRate, to: sampleRate });
  let left = samples;
  const cut = (made: Int16Array) => {
    const taken = made.subarray(0, left);
    left -= taken.length;
    return bytesOf(taken, 'little');
  };
  for await (const frames of wholeFrames(stored.read())) {
    if (left === 0) return;
    yield cut(resampler.push(channelOf(samplesOf(frames, 'little'), track)));
  }
  yield cut(resampler.flush());
  yield* silent(left);
}

/**
 * Regroups bytes into whole frames (left and right, four bytes), because a file arrives in chunks of any
 * length.
 */
async function* wholeFrames(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = new Uint8Array(0);
  for await (const piece of bytes) {
    const joined = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    const whole = joined.length - (joined.length % 4);
    rest = joined.subarray(whole);
    if (whole > 0) yield joined.subarray(0, whole);
  }
}

function channelOf(stereo: Int16Array, track: RecordingTrack): Int16Array {
  const samples = new Int16Array(stereo.length / 2);
  for (let index = 0; index < samples.length; index += 1) {
    const [user, bot] = [stereo[index * 2] ?? 0, stereo[index * 2 + 1] ?? 0];
    samples[index] = track === 'mix' ? clip(user + bot) : track === 'user' ? user : bot;
  }
  return samples;
}
