import {
  ActivityFailure,
  CancellationScope,
  condition,
  isCancellation,
  log,
  TimeoutFailure,
} from '@temporalio/workflow';
import type { MediaActivities, SpeakStepInput, SpokenStep } from '../../../domain/call/voice.ts';
import { answererOf } from '../../../domain/telephony/detection.ts';
import { activitiesOf } from '../../proxies.ts';
import { nodeName, turnName } from '../details.ts';
import { rootOf } from '../failures.ts';
import { hangUpCaller, pollLine } from './line.ts';
import type { SpokenCall } from './spoken-call.ts';

/** How long a host that lives is given to say what was heard, when its line went down. */
const lastWordsMs = 1500;

/** How one attempt of a step at one host went. */
export type Attempt =
  | { kind: 'spoken'; spoken: SpokenStep }
  /** The host is gone; `hasBegun` when it may have said something. */
  | { kind: 'lost'; hasBegun: boolean }
  /** The step was broken off: the line is down, the time is over, or a machine is at the other end. */
  | { kind: 'broken_off'; by: 'down' | 'limit' | 'machine' | 'fax'; spoken: SpokenStep | null };

/** Asks the present seat's host to speak one step. What comes from it after it was given up is dropped. */
export async function attempt(spoken: SpokenCall, input: SpeakStepInput): Promise<Attempt> {
  const { seats, call } = spoken;
  if (seats.current === null || !spoken.isPlaced) return { kind: 'lost', hasBegun: false };
  const summary = `${turnName(input.step.turnIndex)} · ${input.say.kind} at ${nodeName(call.input.plan, input.step.nodeId)}`;
  const { speakStep } = activitiesOf<MediaActivities>('speak', summary, {
    taskQueue: seats.current.hostQueue,
  });
  const scope = new CancellationScope({ cancellable: true });
  const settled: { value?: SpokenStep; error?: unknown }[] = [];
  scope
    .run(() => speakStep(input))
    .then(
      (value) => settled.push({ value }),
      (error: unknown) => settled.push({ error }),
    );
  const isSettled = () => settled.length > 0;
  const answerer = () => answererAtLine(spoken);

  const limitMs = spoken.remainingMs;
  const inTime = await condition(
    () => isSettled() || spoken.isDown || spoken.isHostLost || answerer() !== 'person',
    Math.max(1, limitMs),
  );
  if (!isSettled() && spoken.isHostLost && !spoken.isDown && !seats.isLost)
    await untilEndIsKnown(spoken, isSettled);
  if (!isSettled() && spoken.isDown)
    await condition(isSettled, lastWordsMs, { summary: 'Wait for the last words' });
  if (!isSettled() && !inTime) await endByLimit(spoken, isSettled);
  const [first] = settled;
  if (first === undefined) scope.cancel();
  spoken.lastHeardMs = first?.value === undefined ? spoken.lastHeardMs : Date.now();

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
 * The carrier tells of a line that ended by two events, in any order; the host that heard it end says what
 * was heard until then. Where neither comes the line lives and its host is lost, and somebody hears nothing:
 * so the carrier is asked, because Temporal takes a second for a timer of less.
 */
async function untilEndIsKnown(spoken: SpokenCall, isSettled: () => boolean): Promise<void> {
  const { lineAnswerMs } = spoken.timing;
  const isKnown = () => isSettled() || spoken.isDown || spoken.seats.isLost;
  const asking = { isOver: false };
  // guarantee: call-line-went-down
  pollLine(spoken).then(
    () => (asking.isOver = true),
    () => undefined,
  ); // it only fails when the call is canceled, which everything else sees too
  // guarantee: call-stream-stopped-carrier
  await condition(() => isKnown() || asking.isOver, lineAnswerMs, {
    summary: 'Wait for the carrier to say whether the line lives',
  });
}

/**
 * The longest time is over, whatever is being said. The host hears the line end, and says what was heard
 * until then.
 */
async function endByLimit(spoken: SpokenCall, isSettled: () => boolean): Promise<void> {
  spoken.end('call_duration_exceeded');
  await hangUpCaller(spoken);
  await condition(isSettled, lastWordsMs, { summary: 'Wait for the last words' });
}

/** Who is at the other end, as far as the carrier has told; nobody asks in a call that was not dialed. */
function answererAtLine({ leg, channel, machineIsKnown }: SpokenCall) {
  if (leg.detection === null || !channel.detectsMachines || machineIsKnown) return 'person';
  return answererOf(leg.detection).answerer;
}

/** Nobody polled the host's queue: it was gone before it could begin. */
function isUnstarted(error: unknown): boolean {
  return (
    error instanceof ActivityFailure &&
    error.cause instanceof TimeoutFailure &&
    error.cause.timeoutType === 'SCHEDULE_TO_START'
  );
}
