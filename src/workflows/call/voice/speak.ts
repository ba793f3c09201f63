import { condition, sleep } from '@temporalio/workflow';
import { timeoutsMs } from '../../../domain/declaration.ts';
import type {
  AfterSpeaking,
  Say,
  SpeakStepInput,
  SpokenStep,
  SpokenUsage,
} from '../../../domain/call/voice.ts';
import { isStreamOver } from '../../../domain/telephony/leg.ts';
import { attempt, type Attempt } from './attempt.ts';
import { checkLeg } from './legs.ts';
import { place } from './place.ts';
import type { SpokenCall } from './spoken-call.ts';

/** How long to wait for the carrier's event after a host saw its stream end. */
const streamEndEventMs = 1500;
/** Pause between two hosts that failed at once. */
const againMs = 250;

/** A spoken step, or the spoken part of it. */
export interface Spoken {
  step: SpokenStep | null;
  after: AfterSpeaking | { kind: 'limit' } | { kind: 'machine' } | { kind: 'fax' } | { kind: 'no_host' };
}

/**
 * Speaks one step, at as many hosts as needed. A lost host is replaced, and the step continues at the next
 * one: a recovery line, the unheard part, then the rest. When no host speaks within
 * `mediaResumeMs` of the loss, the call cannot continue (`no_host`).
 */
export async function speak(
  spoken: SpokenCall,
  request: Omit<SpeakStepInput, 'generation'>,
): Promise<Spoken> {
  let say: Say = request.say;
  let lostAtMs: number | null = null;
  const usages: SpokenUsage[] = [];
  for (;;) {
    if (spoken.isDown) return { step: null, after: { kind: 'gone' } };
    if (!spoken.isPlaced) {
      lostAtMs ??= Date.now();
      const placed = await place(spoken, lostAtMs + spoken.timing.mediaResumeMs);
      if (placed !== 'placed') return { step: null, after: { kind: placed === 'down' ? 'gone' : 'no_host' } };
    }
    const begunAtMs = Date.now();
    const attempted = await attempt(spoken, { ...request, say, generation: spoken.seats.generation });
    const judged = attempted.kind === 'spoken' ? await judge(spoken, attempted.spoken) : attempted;
    if (judged.kind === 'done') return { step: withUsage(judged.step, usages), after: judged.step.next };
    if (judged.kind === 'broken_off')
      return {
        step: judged.spoken === null ? null : withUsage(judged.spoken, usages),
        after: afterBreak(judged),
      };
    // The seat is lost. If the host had the stream, the time to find another host starts again.
    if (Date.now() - begunAtMs > timeoutsMs.mediaAttach || spoken.leg.streamBegan >= spoken.seats.generation)
      lostAtMs = null;
    lostAtMs ??= Date.now();
    spoken.seats.lose(spoken.seats.generation);
    // guarantee: call-resumes-at-another-host
    if (judged.kind === 'moving') {
      usages.push(judged.step.usage);
      // guarantee: moved-step-resumes-in-order
      say = { ...resumed(request.say), inOrder: true };
    } else if (judged.hasBegun) say = resumed(request.say);
    if (judged.kind === 'lost' && Date.now() - begunAtMs < againMs)
      await sleep(againMs, { summary: 'Wait before another host is asked' });
  }
}

/** The rest of a step, at another host. */
function resumed(say: Say): Extract<Say, { kind: 'resume' }> {
  return say.kind === 'line' ? { kind: 'resume', line: say.text } : { kind: 'resume' };
}

type Judged =
  | { kind: 'done'; step: SpokenStep }
  | { kind: 'moving'; step: SpokenStep }
  | Exclude<Attempt, { kind: 'spoken' }>;

/** Decides what a host's answer means for the call: its stream may have ended while the leg lives. */
async function judge(spoken: SpokenCall, step: SpokenStep): Promise<Judged> {
  const { next } = step;
  if (next.kind === 'moving') {
    // The Workflow carries out the model's decision, and the next step begins at the next host.
    const isDecided = step.chosenEdge !== null || step.toolCalls !== undefined;
    if (!isDecided) return { kind: 'moving', step };
    spoken.seats.lose(spoken.seats.generation);
    return { kind: 'done', step: { ...step, next: { kind: 'spoken' } } };
  }
  if (next.kind !== 'gone' || !spoken.isPhone) return { kind: 'done', step };
  const { generation } = spoken.seats;
  await condition(
    () => spoken.isDown || spoken.seats.isLost || isStreamOver(spoken.leg, generation),
    streamEndEventMs,
    { summary: 'Wait for the carrier to say what ended' },
  );
  if (!spoken.isDown) await checkLeg(spoken);
  return spoken.isDown ? { kind: 'done', step } : { kind: 'lost', hasBegun: true };
}

/** A caller who hangs up after their words has still said them: the next turn begins with them and is over at once. */
function afterBreak({ by, spoken }: Extract<Attempt, { kind: 'broken_off' }>): Spoken['after'] {
  // guarantee: words-of-ended-call-committed
  if (by === 'down' && spoken?.next.kind === 'utterance') return spoken.next;
  return { kind: by === 'down' ? 'gone' : by };
}

function withUsage(step: SpokenStep, earlier: readonly SpokenUsage[]): SpokenStep {
  return earlier.length === 0 ? step : { ...step, usage: [...earlier, step.usage].reduce(addUsage) };
}

function addUsage(left: SpokenUsage, right: SpokenUsage): SpokenUsage {
  return {
    llm: addTokens(left.llm, right.llm),
    tts: addAmounts(left.tts, right.tts),
    stt: addAmounts(left.stt, right.stt),
  };
}

function addTokens(left: SpokenUsage['llm'], right: SpokenUsage['llm']): SpokenUsage['llm'] {
  if (left === null || right === null) return left ?? right;
  return {
    service: right.service,
    promptTokens: left.promptTokens + right.promptTokens,
    completionTokens: left.completionTokens + right.completionTokens,
    totalTokens: left.totalTokens + right.totalTokens,
    cachedPromptTokens: left.cachedPromptTokens + right.cachedPromptTokens,
    estimated: left.estimated || right.estimated,
  };
}

function addAmounts(left: Record<string, number>, right: Record<string, number>): Record<string, number> {
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return Object.fromEntries([...names].map((name) => [name, (left[name] ?? 0) + (right[name] ?? 0)]));
}
