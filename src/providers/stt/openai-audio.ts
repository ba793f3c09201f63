import { encodeMuLaw } from '../../domain/audio/g711.ts';
import { bytesOf } from './transport.ts';

interface OpenAiAudio {
  format: { type: 'audio/pcmu' } | { type: 'audio/pcm'; rate: 24_000 };
  encode: (frame: Int16Array) => Buffer;
}

/** How frames of a rate are sent: a telephone's as µ-law, a sixth of the bytes; a browser's at 24,000 Hz, the only other rate there is. */
export function openAiAudio(sampleRate: 8000 | 16000): OpenAiAudio {
  if (sampleRate === 8000) return { format: { type: 'audio/pcmu' }, encode: (frame) => Buffer.from(encodeMuLaw(frame)) };
  const raise = threeForTwo();
  return { format: { type: 'audio/pcm', rate: 24_000 }, encode: (frame) => bytesOf(raise(frame)) };
}

/** Three samples for two, on the straight line between neighbors: above 8,000 Hz there is nothing to keep. One for each stream; it remembers the last sample. */
function threeForTwo(): (frame: Int16Array) => Int16Array {
  let last = 0;
  return (frame) => {
    const raised = new Int16Array(Math.floor((frame.length * 3) / 2));
    for (let index = 0; index < raised.length; index += 1) {
      const place = (index * 2) / 3;
      const left = Math.floor(place);
      const [from, to] = [left === 0 ? last : (frame[left - 1] ?? 0), frame[left] ?? 0];
      raised[index] = Math.round(from + (to - from) * (place - left));
    }
    last = frame.at(-1) ?? last;
    return raised;
  };
}
