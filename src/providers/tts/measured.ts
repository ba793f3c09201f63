import { ProviderError } from '../../domain/errors.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import type { TtsAudio, TtsPort, TtsStream } from './port.ts';

/** Wraps a port: measures times, characters, sound and failures. Aborted replies do not count as failures. */
export function measuredTts(tts: TtsPort, metrics: Metrics): TtsPort {
  return {
    ...tts,
    open(options) {
      const stream = tts.open(options);
      let begun: number | null = null;
      return observed(stream, {
        onSay: () => (begun ??= performance.now()),
        onFirstSound: () =>
          begun !== null &&
          metrics.observe('parlance_speech_first_audio_seconds', {}, (performance.now() - begun) / 1000),
        onOver(failure, samples) {
          metrics.count('parlance_speech_characters_total', {}, stream.characters);
          metrics.count('parlance_speech_audio_seconds_total', {}, samples / options.sampleRate);
          const reason =
            failure === null
              ? 'aborted'
              : failure.error instanceof ProviderError
                ? failure.error.reason
                : 'other';
          if (reason !== 'aborted') metrics.count('parlance_speech_failures_total', { reason });
        },
      });
    },
  };
}

/** Characters by `service|||model`, the form of `usage_info.tts` (contract 6.6). */
export type TtsUsage = Record<string, number>;

/** Wraps a port: adds the characters to `usage`, for the accounts of one call. */
export function accountedTts(tts: TtsPort, { model, usage }: { model: string; usage: TtsUsage }): TtsPort {
  return {
    ...tts,
    open(options) {
      const stream = tts.open(options);
      const key = `${tts.provider}|||${options.voice.model ?? model}`;
      let counted = 0;
      const count = () => {
        usage[key] = (usage[key] ?? 0) + stream.characters - counted;
        counted = stream.characters;
      };
      return observed(stream, { onSay: count, onFirstSound: count, onOver: count });
    },
  };
}

export interface StreamWatch {
  /** Called after each clause. */
  onSay?: () => unknown;
  onFirstSound?: () => unknown;
  /** Called once: with null when the stream is complete or its reader left, or with the failure. */
  onOver: (failure: { error: unknown } | null, samples: number) => unknown;
}

/** Wraps a stream with observers. */
export function observed(stream: TtsStream, watch: StreamWatch): TtsStream {
  return {
    say(clause) {
      stream.say(clause);
      watch.onSay?.();
    },
    end: () => stream.end(),
    audio: watched(stream.audio, watch),
    get characters() {
      return stream.characters;
    },
  };
}

async function* watched(
  audio: AsyncIterable<TtsAudio>,
  { onFirstSound, onOver }: StreamWatch,
): AsyncGenerator<TtsAudio> {
  let samples = 0;
  let failure: { error: unknown } | null = null;
  try {
    for await (const piece of audio) {
      if (samples === 0 && piece.samples.length > 0) onFirstSound?.();
      samples += piece.samples.length;
      yield piece;
    }
  } catch (error) {
    failure = { error };
    throw error;
  } finally {
    onOver(failure, samples);
  }
}
