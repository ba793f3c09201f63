import type { SpokenPart } from './feedback-events.ts';

interface SoundEvent {
  type: string;
  payload: Record<string, unknown>;
  at: string | undefined;
}

/**
 * Log events of a spoken step besides its text (contract 6.7): how long each stage took, when the agent
 * spoke, and what failed.
 */
export function soundEvents({ timings, fault }: SpokenPart, model: string): SoundEvent[] {
  const failed =
    fault === undefined
      ? []
      : [
          {
            type: 'rtf-pipeline-error',
            payload: { error: fault.message, fatal: false, processor: fault.stage },
            at: undefined,
          },
        ];
  if (timings === null) return failed;
  const {
    speechEndMs,
    llmSentMs,
    llmFirstTokenMs,
    ttsSentMs,
    ttsFirstByteMs,
    firstFrameSentMs,
    playoutEndMs,
  } = timings;
  const at = (ms: number) => new Date(Date.parse(timings.zeroAt) + ms).toISOString();
  const events: SoundEvent[] = [];
  if (llmSentMs !== null && llmFirstTokenMs !== null)
    events.push({
      type: 'rtf-ttfb-metric',
      payload: {
        ttfb_seconds: (llmFirstTokenMs - llmSentMs) / 1000,
        processor: 'llm',
        model: timings.model ?? model,
      },
      at: at(llmFirstTokenMs),
    });
  if (ttsSentMs !== null && ttsFirstByteMs !== null)
    events.push({
      type: 'rtf-ttfb-metric',
      payload: { ttfb_seconds: (ttsFirstByteMs - ttsSentMs) / 1000, processor: 'tts', model: null },
      at: at(ttsFirstByteMs),
    });
  if (firstFrameSentMs !== null)
    events.push({ type: 'rtf-bot-started-speaking', payload: {}, at: at(firstFrameSentMs) });
  if (firstFrameSentMs !== null && speechEndMs !== null)
    events.push({
      type: 'rtf-latency-measured',
      payload: { latency_seconds: (firstFrameSentMs - speechEndMs) / 1000 },
      at: at(firstFrameSentMs),
    });
  if (playoutEndMs !== null)
    events.push({ type: 'rtf-bot-stopped-speaking', payload: {}, at: at(playoutEndMs) });
  return [...events, ...failed];
}
