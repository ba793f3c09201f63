import { ProviderError } from '../../domain/errors.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import type { TtsAudio, TtsPort, TtsStream } from './port.ts';

/**
 * The same speech synthesis, with its times, characters, sound and failures measured. Replies that were
 * aborted are nobody's failure.
 */
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

/**
 * The same speech synthesis, with the characters that are handed to it added to `usage`, as one call's
 * accounts want them.
 */
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
  /** After a clause was handed over. */
  onSay?: () => unknown;
  onFirstSound?: () => unknown;
  /** Once: whole (null), failed, or left by its reader (null). */
  onOver: (failure: { error: unknown } | null, samples: number) => unknown;
}

/** The same stream, watched. */
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
