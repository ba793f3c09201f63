import {
  ActivityFailure,
  CancellationScope,
  condition,
  isCancellation,
  log,
  TimeoutFailure,
} from '@temporalio/workflow';
import type { SpeakingActivities, SpokenAnswer } from '../../../activities/speaking.ts';
import type { SpeakStepInput, SpokenStep } from '../../../domain/call/voice.ts';
import { answererOn } from '../../../domain/telephony/leg.ts';
import { activitiesOf } from '../../proxies.ts';
import { nodeName, turnName } from '../details.ts';
import { rootOf } from '../failures.ts';
import { hangUpCaller, checkLeg } from './legs.ts';
import type { SpokenCall } from './spoken-call.ts';

/** How long a live host may take to return what was heard, after its leg ended. */
const lastAnswerMs = 1500;
/** How long the answer of a step that was broken off for a supervisor may be under way. */
const yieldedMs = 500;

/** The outcome of one attempt of a step at one host. */
export type Attempt =
  | { kind: 'spoken'; spoken: SpokenStep }
  /** The host is lost; `hasBegun` when it may have spoken. */
  | { kind: 'lost'; hasBegun: boolean }
  /** The step was broken off: the leg ended, the maximum duration is reached, or a machine answered. */
  | { kind: 'broken_off'; by: 'down' | 'limit' | 'machine' | 'fax'; spoken: SpokenStep | null };

/**
 * Asks the current seat's host to speak one step. An answer that arrives after the attempt ended is dropped.
 */
export async function attempt(spoken: SpokenCall, input: SpeakStepInput): Promise<Attempt> {
  const { seats, call, commits, interventions } = spoken;
  if (seats.current === null || !spoken.isPlaced) return { kind: 'lost', hasBegun: false };
  const summary = `${turnName(input.step.turnIndex)} · ${input.say.kind} at ${nodeName(call.input.plan, input.step.nodeId)}`;
  const { speakStep } = activitiesOf<SpeakingActivities>('speak', summary, {
    taskQueue: seats.current.hostQueue,
  });
  interventions.visitIndex = input.step.visitIndex;
  const scope = new CancellationScope({ cancellable: true });
  const settled: { value?: SpokenAnswer; error?: unknown }[] = [];
  scope
    .run(() => speakStep({ ...input, ...notesOf(spoken), ...carriedBy(commits) }))
    .then(
      (value) => settled.push({ value }),
      (error: unknown) => settled.push({ error }),
    );
  const isSettled = () => settled.length > 0;
  const isInterrupted = () => isSettled() || spoken.isDown || spoken.isHostLost || answerer() !== 'person';
  const answerer = () => answererOnLeg(spoken);

  const limitMs = spoken.remainingMs;
  let inTime = await condition(() => isInterrupted() || interventions.breakOff(input), Math.max(1, limitMs), {
    summary: 'Time that the call has left',
  });
  // guarantee: intervention-breaks-step-off
  while (inTime && !isInterrupted()) {
    await breakOff(spoken, isInterrupted);
    inTime = spoken.remainingMs > 0;
  }
  if (!isSettled() && spoken.isHostLost && !spoken.isDown && !seats.isLost)
    await untilEndIsKnown(spoken, isSettled);
  if (!isSettled() && spoken.isDown)
    await condition(isSettled, lastAnswerMs, { summary: "Wait for the host's last answer" });
  if (!isSettled() && !inTime) await endByLimit(spoken, isSettled);
  const [first] = settled;
  if (first === undefined) scope.cancel();
  // guarantee: broken-off-step-ends-at-once
  if (first === undefined && inTime && !spoken.isDown && !spoken.isHostLost) await seats.stopStep();
  spoken.lastHeardMs = first?.value === undefined ? spoken.lastHeardMs : Date.now();
  if (first?.value?.isTurnBeforeWritten === true) commits.written();

  if (isSettled() && isCancellation(first?.error) && !spoken.isDown) throw first?.error;
  if (!inTime) return { kind: 'broken_off', by: 'limit', spoken: first?.value ?? null };
  if (first?.value !== undefined)
    return spoken.isDown
      ? { kind: 'broken_off', by: 'down', spoken: first.value }
      : { kind: 'spoken', spoken: first.value };
  const heard = answerer();
  if (spoken.isDown) return { kind: 'broken_off', by: 'down', spoken: null };
  if (heard !== 'person') return { kind: 'broken_off', by: heard, spoken: null };
  if (first?.error !== undefined)
    log.warn('A media host did not speak its step', { fault: rootOf(first.error).message });
  return { kind: 'lost', hasBegun: !isUnstarted(first?.error) };
}

/**
 * Lets the host end its step for a supervisor. A host that has not begun the step yet is asked again, because the
 * request has passed it by.
 */
async function breakOff({ seats }: SpokenCall, isInterrupted: () => boolean): Promise<void> {
  await seats.yieldStep();
  await condition(isInterrupted, yieldedMs, { summary: 'Wait for the end of the step' });
}

/**
 * Waits until it is known whether the leg ended or only its stream. The carrier reports the end of a leg by
 * two events, in any order, and its host returns what was heard. When neither arrives, the leg lives, its
 * host is lost and the caller hears nothing. So the carrier is asked at once, because Temporal takes a second
 * for any shorter timer.
 */
async function untilEndIsKnown(spoken: SpokenCall, isSettled: () => boolean): Promise<void> {
  const { legStatusTimeoutMs } = spoken.timing;
  const isKnown = () => isSettled() || spoken.isDown || spoken.seats.isLost;
  const asking = { isOver: false };
  // guarantee: dead-leg-ends-call
  checkLeg(spoken).then(
    () => (asking.isOver = true),
    () => undefined,
  ); // it only fails when the call is canceled, which all other code sees, too
  // guarantee: stopped-stream-checks-leg-at-once
  await condition(() => isKnown() || asking.isOver, legStatusTimeoutMs, {
    summary: 'Wait for the carrier to say whether the leg lives',
  });
}

/**
 * Ends the call at its maximum duration, even while the agent speaks. The host notices the end of the leg and
 * returns what was heard.
 */
async function endByLimit(spoken: SpokenCall, isSettled: () => boolean): Promise<void> {
  spoken.end('call_duration_exceeded');
  await hangUpCaller(spoken);
  await condition(isSettled, lastAnswerMs, { summary: "Wait for the host's last answer" });
}

function notesOf({ interventions: { notes } }: SpokenCall): Pick<SpeakStepInput, 'notes'> {
  return notes.length === 0 ? {} : { notes };
}

function carriedBy({ carried }: SpokenCall['commits']) {
  return carried === undefined ? {} : { turnBefore: carried };
}

/** Who answered, as far as the carrier has detected; always a person in a call without machine detection. */
function answererOnLeg({ leg, channel, machineIsKnown }: SpokenCall) {
  return !channel.detectsMachines || machineIsKnown ? 'person' : answererOn(leg);
}

/** True when no host polled the queue: the host was lost before it could begin. */
function isUnstarted(error: unknown): boolean {
  return (
    error instanceof ActivityFailure &&
    error.cause instanceof TimeoutFailure &&
    error.cause.timeoutType === 'SCHEDULE_TO_START'
  );
}
