import type { ModelReply } from '../../services/calls/index.ts';
import type { CallState, StepCall } from './call-state.ts';
import { measureReply } from './measure-reply.ts';
import { messageOf } from './reply-maker.ts';
import type { StepClock } from './step-clock.ts';

/** Shows how long the model took for its first word. */
export function reportReply({ screen, live }: CallState, { timings }: ModelReply): void {
  if (timings.firstTokenMs !== null)
    screen.show('rtf-ttfb-metric', {
      ttfb_seconds: timings.firstTokenMs / 1000,
      processor: 'llm',
      model: timings.model ?? live.by.model,
    });
}

/** Shows and logs that a provider failed; the call goes on. */
export function reportFailure(
  { screen, deps, ref }: CallState,
  stage: 'llm' | 'tts' | 'stt',
  error: unknown,
): void {
  screen.show('rtf-pipeline-error', { error: messageOf(error), fatal: false, processor: stage });
  deps.log.warn({ ...ref, stage, message: messageOf(error) }, 'A provider failed in a live call');
}

/** The agent is heard: measures the reply, and tells the state machine and the screen. */
export function reportSoundBegan({ state, driver }: StepCall, clock: StepClock): void {
  state.hasSpoken = true;
  measureReply(state.deps.metrics, clock);
  driver.tell({ kind: 'audio_started' });
  state.screen.show('rtf-bot-started-speaking');
  const [endedMs, beganMs] = [clock.at('speechEnd'), clock.at('firstFrameSent')];
  if (endedMs !== null && beganMs !== null)
    state.screen.show('rtf-latency-measured', { latency_seconds: (beganMs - endedMs) / 1000 });
}

/** The agent is silent again: tells the state machine and the screen. */
export function reportSoundEnded({ state, driver }: StepCall): void {
  driver.tell({ kind: 'audio_drained' });
  state.screen.show('rtf-bot-stopped-speaking');
}
