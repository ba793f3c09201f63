import { followVoice } from '../../domain/audio/voice-activity.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import type { SttEvent, SttOptions, SttPort, SttSession } from './port.ts';

/** Wraps a port: measures the audio that it gets, its failures and the delay of its finals. */
export function measuredStt(stt: SttPort, metrics: Metrics): SttPort {
  return { ...stt, open: (options) => openMeasured({ stt, metrics, options }) };
}

interface Opening {
  stt: SttPort;
  metrics: Metrics;
  options: SttOptions;
}

function openMeasured({ stt, metrics, options }: Opening): SttSession {
  let lastVoiceAt: number | null = null;
  const isVoice = followVoice(options.sampleRate);
  const onEvent = (event: SttEvent): void => {
    if (event.kind === 'fault')
      metrics.count('parlance_recognition_failures_total', { reason: event.error.reason });
    if (event.kind === 'final' && lastVoiceAt !== null) {
      metrics.observe('parlance_recognition_final_seconds', {}, (performance.now() - lastVoiceAt) / 1000);
      lastVoiceAt = null;
    }
    options.onEvent(event);
  };
  const session = stt.open({ ...options, onEvent });
  return {
    push(frame, mediaMs) {
      metrics.count('parlance_recognition_audio_seconds_total', {}, frame.length / options.sampleRate);
      if (isVoice(frame)) lastVoiceAt = performance.now();
      session.push(frame, mediaMs);
    },
    finalize: () => session.finalize(),
    close: () => session.close(),
  };
}

/** Seconds of audio by `service|||model`, the form of `usage_info.stt` (contract 6.6). */
export type SttUsage = Record<string, number>;

/**
 * Wraps a port: adds the seconds of audio to `usage`, for the accounts of one call. Audio that is replayed
 * after a lost connection counts once.
 */
export function accountedStt(stt: SttPort, { model, usage }: { model: string; usage: SttUsage }): SttPort {
  return {
    ...stt,
    open(options) {
      const session = stt.open(options);
      const key = `${stt.provider}|||${options.model ?? model}`;
      return {
        push(frame, mediaMs) {
          usage[key] = (usage[key] ?? 0) + frame.length / options.sampleRate;
          session.push(frame, mediaMs);
        },
        finalize: () => session.finalize(),
        close: () => session.close(),
      };
    },
  };
}
