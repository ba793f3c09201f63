import { encodeMuLaw } from '../../domain/audio/g711.ts';
import { createResampler } from '../../domain/audio/resample.ts';
import { bytesOf } from './transport.ts';

interface OpenAiAudio {
  format: { type: 'audio/pcmu' } | { type: 'audio/pcm'; rate: 24_000 };
  encode: (frame: Int16Array) => Buffer;
}

/**
 * The encoding of a session's frames. A phone's frames go as µ-law, a sixth of the bytes; a browser's at
 * 24,000 Hz, the only other rate that OpenAI accepts.
 */
export function openAiAudio(sampleRate: 8000 | 16000): OpenAiAudio {
  if (sampleRate === 8000)
    return { format: { type: 'audio/pcmu' }, encode: (frame) => Buffer.from(encodeMuLaw(frame)) };
  const resampler = createResampler({ from: sampleRate, to: 24_000 });
  return { format: { type: 'audio/pcm', rate: 24_000 }, encode: (frame) => bytesOf(resampler.push(frame)) };
}
