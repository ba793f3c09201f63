import { rootPath } from '../app/root.ts';
import type { Speaker } from './web-call.ts';

const sampleRate = 16_000;
/** Sound begins this much later than it could, so that a late message makes no gap. */
const leadSeconds = 0.04;

export interface WebSpeaker extends Speaker {
  setMuted: (isMuted: boolean) => void;
  close: () => void;
}

/** Plays PCM16 of the call. Without an audio device, or muted, time passes as if it were heard. */
export function createSpeaker(): WebSpeaker {
  const audio = audioContext();
  const volume = audio?.createGain() ?? null;
  if (audio !== null) volume?.connect(audio.destination);
  const playing = new Set<AudioBufferSourceNode>();
  let untilMs = 0;
  let untilSeconds = 0;
  return {
    play: (samples) => {
      untilMs = Math.max(untilMs, performance.now()) + (samples.length * 1000) / sampleRate;
      if (audio === null || volume === null || audio.state !== 'running') return;
      const buffer = audio.createBuffer(1, samples.length, sampleRate);
      buffer.getChannelData(0).set(Float32Array.from(samples, (sample) => sample / 32_768));
      const source = new AudioBufferSourceNode(audio, { buffer });
      source.addEventListener('ended', () => playing.delete(source));
      playing.add(source);
      source.connect(volume);
      untilSeconds = Math.max(untilSeconds, audio.currentTime + leadSeconds);
      source.start(untilSeconds);
      untilSeconds += buffer.duration;
    },
    clear: () => {
      [untilMs, untilSeconds] = [0, 0];
      for (const each of playing) each.stop();
      playing.clear();
    },
    pendingMs: () => Math.max(0, untilMs - performance.now()),
    setMuted: (muted) => {
      if (volume !== null) volume.gain.value = muted ? 0 : 1;
    },
    close: () => void audio?.close(),
  };
}

/** Rings like a telephone, two tones for a second in every three, until it is stopped. */
export function ring(): () => void {
  const audio = audioContext();
  if (audio === null) return () => undefined;
  const volume = audio.createGain();
  volume.gain.value = 0;
  volume.connect(audio.destination);
  const tones = [440, 480].map((frequency) => new OscillatorNode(audio, { frequency }));
  for (const tone of tones) {
    tone.connect(volume);
    tone.start();
  }
  const once = () => {
    const now = audio.currentTime;
    volume.gain.setTargetAtTime(0.06, now, 0.02);
    volume.gain.setTargetAtTime(0, now + 1, 0.02);
  };
  once();
  const timer = setInterval(once, 3000);
  return () => {
    clearInterval(timer);
    void audio.close();
  };
}

/** Passes on what a stream of a microphone hears: PCM16 with 16,000 samples per second. Answers how to stop. */
export async function hearStream(
  stream: MediaStream,
  hear: (samples: Int16Array<ArrayBuffer>) => void,
): Promise<() => void> {
  // One for each device: a browser may refuse to mix devices that differ in their rate.
  const audio = new AudioContext();
  const close = () => void audio.close();
  try {
    await audio.audioWorklet.addModule(`${rootPath}/microphone.js`);
    const worklet = new AudioWorkletNode(audio, 'microphone', {
      channelCount: 1,
      channelCountMode: 'explicit',
    });
    worklet.port.addEventListener('message', ({ data }: MessageEvent<Int16Array<ArrayBuffer>>) => hear(data));
    worklet.port.start();
    audio.createMediaStreamSource(stream).connect(worklet);
    return close;
  } catch (error) {
    close();
    throw error;
  }
}

/** A browser may have no sound at all. */
function audioContext(): AudioContext | null {
  try {
    const audio = new AudioContext();
    void audio.resume();
    return audio;
  } catch {
    return null;
  }
}
