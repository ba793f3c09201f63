import type { Metrics } from '../../runtime/metrics.ts';
import type { StepClock } from './step-clock.ts';

/** How long the caller waited for a reply, and what of that was ours (voice.md 6.4). An opening answers nobody. */
export function measureReply(metrics: Metrics, clock: StepClock): void {
  const [speechEndMs, decidedMs, soundMs] = [clock.at('speechEnd'), clock.at('turnDecided'), clock.at('firstFrameSent')];
  if (speechEndMs === null || decidedMs === null || soundMs === null) return;
  metrics.observe('parlance_reply_first_sound_seconds', {}, (soundMs - speechEndMs) / 1000);
  // A model that was asked before the turn was decided has that much of its time behind it.
  const modelMs = between(Math.max(clock.at('llmSent') ?? decidedMs, decidedMs), clock.at('llmFirstToken'));
  const voiceMs = between(clock.at('ttsSent'), clock.at('ttsFirstByte'));
  metrics.observe('parlance_reply_overhead_seconds', {}, Math.max(0, soundMs - decidedMs - modelMs - voiceMs) / 1000);
}

function between(fromMs: number | null, toMs: number | null): number {
  return fromMs === null || toMs === null ? 0 : Math.max(0, toMs - fromMs);
}
