import { condition, isCancellation } from '@temporalio/workflow';
import type { TelephonyActivities } from '../../../activities/telephony.ts';
import { timeoutsMs } from '../../../domain/declaration.ts';
import { hearCarrier } from '../../../domain/telephony/leg.ts';
import { activitiesOf } from '../../proxies.ts';
import { fetchValues } from '../prepare.ts';
import { dial } from './dial.ts';
import { attachOnce } from './place.ts';
import { endWithLeg, hangUpCaller, connectionOf, checkLeg, hearMedia } from './legs.ts';
import type { SpokenCall } from './spoken-call.ts';

/** How long after the carrier's ringing timeout its event may arrive. */
const ringingNoticeMs = 15_000;
/** Time from the stream command to the beginning of the stream. */
const streamBeginMs = 500;

/**
 * Connects an admitted call. The customer's values are fetched while the phone rings. Returns false when the
 * call was not answered: it is then over, with its disposition.
 */
export async function connect(spoken: SpokenCall): Promise<boolean> {
  if (!(await claimSeat(spoken))) return false;
  let isFetched = false;
  const fetching = fetchValues(spoken.input).then(() => (isFetched = true));
  fetching.catch(() => undefined); // a cancellation of the call, which all other code sees, too
  if (!(await reach(spoken))) return false;
  spoken.talkingSinceMs = Date.now();
  spoken.lastHeardMs = Date.now();
  spoken.call.talking(new Date().toISOString());
  await condition(() => isFetched || spoken.isDown, timeoutsMs.preCallFetchStartToClose, {
    summary: "Wait for the customer's values",
  });
  const { delayedStartMs = 0 } = spoken.input;
  if (delayedStartMs > 0)
    await condition(() => spoken.isDown, delayedStartMs, {
      summary: `Wait ${delayedStartMs / 1000} s before the opening`,
    });
  return true;
}

/**
 * Claims the first seat. When no host takes the call, an outbound call is never dialed and an incoming call
 * is hung up.
 */
async function claimSeat(spoken: SpokenCall): Promise<boolean> {
  if (await spoken.seats.claim(Date.now() + spoken.timing.mediaSeatMs, () => spoken.isDown)) return true;
  if (spoken.isDown) await endWithLeg(spoken);
  spoken.dialAnswer = { kind: 'refused', message: 'no media host has a free seat' };
  spoken.hasFailedToStart = spoken.channel.direction === 'outbound';
  spoken.end('system_connect_error', { retryClass: 'capacity' });
  return false;
}

async function reach(spoken: SpokenCall): Promise<boolean> {
  if (!spoken.isPhone) return true;
  if (spoken.channel.direction === 'inbound') return await answer(spoken);
  return (await dial(spoken)) && (await ring(spoken));
}

/**
 * Answers the incoming call. When the command succeeds, the call is answered and the stream begins with it.
 */
async function answer(spoken: SpokenCall): Promise<boolean> {
  const { ids } = spoken.leg;
  if (ids === null) return false;
  const { answerCall } = activitiesOf<TelephonyActivities>('carrier', 'Answer');
  try {
    const answered = spoken.isDown
      ? 'over'
      : await answerCall({ ...connectionOf(spoken), ...ids, generation: spoken.seats.generation });
    spoken.streamGeneration = spoken.seats.generation;
    if (answered === 'done') return true;
  } catch (error) {
    if (isCancellation(error)) throw error;
    spoken.end('system_connect_error', { retryClass: 'provider' });
    return false;
  }
  if (!spoken.isDown)
    spoken.leg = hearCarrier(spoken.leg, {
      occurredAt: new Date().toISOString(),
      leg: ids,
      what: { kind: 'hangup', cause: 'originator_cancel', source: 'caller' },
    });
  await endWithLeg(spoken);
  return false;
}

/**
 * Waits for an answer. A host that dies meanwhile is replaced at once, so that one is ready when the callee
 * answers.
 */
async function ring(spoken: SpokenCall): Promise<boolean> {
  const untilMs = Date.now() + spoken.timing.ringingMs + ringingNoticeMs;
  let checks = 0;
  const isDecided = () => spoken.leg.phase === 'answered' || spoken.isDown;
  while (!isDecided()) {
    const leftMs = untilMs - Date.now();
    // guarantee: unreported-calls-still-settle
    if (leftMs <= 0) return await giveUpRinging(spoken);
    const hasChanged = await condition(
      () => isDecided() || spoken.seats.isLost,
      Math.min(leftMs, spoken.timing.answerLookMs),
      { summary: 'Wait for an answer' },
    );
    if (!hasChanged) await checkAnswer(spoken, (checks += 1));
    // guarantee: ringing-call-gets-new-host
    if (
      !isDecided() &&
      spoken.seats.isLost &&
      !(await spoken.seats.claim(Date.now() + spoken.timing.mediaResumeMs, isDecided)) &&
      !isDecided()
    )
      return await endWithoutHost(spoken);
  }
  if (!spoken.isDown) return true;
  await endWithLeg(spoken);
  return false;
}

/**
 * Checks whether the call was answered. The stream of a dead host would never begin, so the carrier is first
 * asked to attach it to the new host, which it refuses while the phone rings.
 */
async function checkAnswer(spoken: SpokenCall, attempt: number): Promise<void> {
  const hasNoStream = !spoken.isHostLost && spoken.streamGeneration !== spoken.seats.generation;
  // guarantee: missing-stream-requested-after-answer
  if (hasNoStream && (await attachOnce(spoken, attempt)) === 'attached') {
    spoken.streamGeneration = spoken.seats.generation;
    await condition(() => spoken.isDown, streamBeginMs, { summary: 'Wait for the stream to begin' });
  }
  await hearMedia(spoken);
}

/** Ends the call unanswered: the carrier should have reported the end by now. */
async function giveUpRinging(spoken: SpokenCall): Promise<boolean> {
  await checkLeg(spoken);
  spoken.end('no-answer', { word: 'no-answer', retryClass: 'no_answer' });
  await hangUpCaller(spoken);
  return false;
}

/** Ends the call because no host could talk when the callee answers. */
async function endWithoutHost(spoken: SpokenCall): Promise<boolean> {
  spoken.end('system_connect_error', { retryClass: 'provider' });
  await hangUpCaller(spoken);
  return false;
}
