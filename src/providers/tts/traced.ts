import { ProviderError } from '../../domain/errors.ts';
import { failureKind, type OpenSpan, type Tracing } from '../../runtime/tracing.ts';
import { observed } from './measured.ts';
import type { TtsPort } from './port.ts';

/**
 * Wraps a port: one span per reply with provider, characters and times, but no words. It begins with the
 * first clause.
 */
export function tracedTts(tts: TtsPort, tracing: Tracing): TtsPort {
  if (!tracing.isOn) return tts;
  return {
    ...tts,
    open(options) {
      const stream = tts.open(options);
      let open: { span: OpenSpan; begun: number } | null = null;
      const begin = () => ({
        span: tracing.begin({
          name: 'speak',
          kind: 'client',
          attributes: {
            'gen_ai.operation.name': 'speak',
            'gen_ai.provider.name': tts.provider,
            'gen_ai.request.model': options.voice.model ?? undefined,
            'parlance.simulated': tts.simulated,
          },
        }),
        begun: performance.now(),
      });
      return observed(stream, {
        onSay: () => (open ??= begin()),
        onFirstSound: () =>
          open?.span.annotate({
            'gen_ai.response.time_to_first_chunk': (performance.now() - open.begun) / 1000,
          }),
        onOver(failure, samples) {
          const kind =
            failure === null
              ? undefined
              : failure.error instanceof ProviderError
                ? failure.error.reason
                : failureKind(failure.error);
          open?.span.annotate({
            'parlance.speech.characters': stream.characters,
            'parlance.speech.audio_seconds': samples / options.sampleRate,
          });
          open?.span.end({ failure: kind });
        },
      });
    },
  };
}
