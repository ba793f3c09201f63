import type { Metrics } from '../../runtime/metrics.ts';
import type { Mark, StepClock } from './step-clock.ts';

/**
 * Measures how long the caller waited for a reply, and how much of that was our own time. An opening is not
 * measured.
 */
export function measureReply(metrics: Metrics, clock: StepClock): void {
  const [speechEndMs, decidedMs, soundMs] = [
    clock.at('speechEnd'),
    clock.at('turnDecided'),
    clock.at('firstFrameSent'),
  ];
  if (speechEndMs === null || decidedMs === null || soundMs === null) return;
  metrics.observe('parlance_reply_first_sound_seconds', {}, (soundMs - speechEndMs) / 1000);
  const theirsMs =
    waitedFor(clock, { asked: 'llmSent', came: 'llmFirstToken', decidedMs }) +
    waitedFor(clock, { asked: 'ttsSent', came: 'ttsFirstByte', decidedMs });
  metrics.observe('parlance_reply_overhead_seconds', {}, Math.max(0, soundMs - decidedMs - theirsMs) / 1000);
}

/** The time after the turn's end that a provider took. Zero if the sound was there already. */
function waitedFor(
  clock: StepClock,
  { asked, came, decidedMs }: { asked: Mark; came: Mark; decidedMs: number },
): number {
  const [fromMs, toMs] = [clock.at(asked), clock.at(came)];
  return fromMs === null || toMs === null ? 0 : Math.max(0, toMs - Math.max(fromMs, decidedMs));
}
