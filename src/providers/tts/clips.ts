import { joinSamples } from '../../domain/audio/samples.ts';
import { abortedError } from './failures.ts';
import type { TtsPort, TtsRate, TtsVoice } from './port.ts';
import { guarded } from '../../runtime/guarded.ts';

/** A fixed text in a voice: a greeting, an idle prompt, a goodbye, an apology. */
export interface Phrase {
  voice: TtsVoice;
  sampleRate: TtsRate;
  text: string;
}

/**
 * Sound of fixed phrases in memory, so they play at once and are paid for once. Concurrent requests for a
 * phrase share one synthesis, which goes on if one of them aborts. The least recently used phrases are
 * evicted.
 */
export interface Clips {
  /** The sound, if it is in memory. */
  ready(phrase: Phrase): Int16Array | null;
  /** The sound, synthesized if necessary. Throws ProviderError as the port does; failures are not kept. */
  sound(phrase: Phrase, signal: AbortSignal): Promise<Int16Array>;
  /** Synthesizes missing phrases one after the other. Ignores failures: they show when a phrase is needed. */
  prime(phrases: readonly Phrase[], signal: AbortSignal): Promise<void>;
}

/** About an hour at 8,000 samples per second. */
const defaultMaxBytes = 64 * 1024 * 1024;

export function createClips({ tts, maxBytes = defaultMaxBytes }: { tts: TtsPort; maxBytes?: number }): Clips {
  const kept = new Map<string, Int16Array>();
  const making = new Map<string, Promise<Int16Array>>();
  let bytes = 0;
  const ready = (phrase: Phrase): Int16Array | null => {
    const key = keyOf(tts, phrase);
    const clip = kept.get(key);
    if (clip === undefined) return null;
    // A Map keeps insertion order: re-inserting marks the phrase as recently used.
    kept.delete(key);
    kept.set(key, clip);
    return clip;
  };
  const keep = (key: string, clip: Int16Array): void => {
    kept.set(key, clip);
    bytes += clip.byteLength;
    for (const [oldest, { byteLength }] of kept) {
      if (bytes <= maxBytes) return;
      kept.delete(oldest);
      bytes -= byteLength;
    }
  };
  const make = async (key: string, phrase: Phrase): Promise<Int16Array> => {
    try {
      const clip = await speak(tts, phrase);
      keep(key, clip);
      return clip;
    } finally {
      making.delete(key);
    }
  };
  const sound = async (phrase: Phrase, signal: AbortSignal): Promise<Int16Array> => {
    if (signal.aborted) throw abortedError(signal.reason);
    const key = keyOf(tts, phrase);
    const clip = ready(phrase);
    if (clip !== null) return clip;
    const made = making.get(key) ?? make(key, phrase);
    making.set(key, made);
    return await orAborted(made, signal);
  };
  return {
    ready,
    sound,
    async prime(phrases, signal) {
      for (const phrase of phrases) {
        if (signal.aborted) return;
        await sound(phrase, signal).catch(() => null);
      }
    },
  };
}

function keyOf(
  { provider }: TtsPort,
  { voice: { model, voice, language, speakingRate }, sampleRate, text }: Phrase,
): string {
  return JSON.stringify([provider, model, voice, language, speakingRate ?? 1, sampleRate, text.trim()]);
}

/** Without a caller's signal, because others may share the result. The timeouts of the port apply. */
async function speak(tts: TtsPort, { voice, sampleRate, text }: Phrase): Promise<Int16Array> {
  const stream = tts.open({ voice, sampleRate, signal: new AbortController().signal });
  stream.say(text);
  stream.end();
  const parts: Int16Array[] = [];
  for await (const { samples } of stream.audio) parts.push(samples);
  return joinSamples(parts);
}

function orAborted(made: Promise<Int16Array>, signal: AbortSignal): Promise<Int16Array> {
  return new Promise((resolve, reject) => {
    const giveUp = guarded(() => reject(abortedError(signal.reason)), reject);
    signal.addEventListener('abort', giveUp, { once: true });
    made.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}
