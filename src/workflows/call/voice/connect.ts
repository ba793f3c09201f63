import { condition, isCancellation } from '@temporalio/workflow';
import type { TelephonyActivities } from '../../../activities/telephony.ts';
import { timeoutsMs } from '../../../domain/declaration.ts';
import { hearCarrier } from '../../../domain/telephony/leg.ts';
import { activitiesOf } from '../../proxies.ts';
import { fetchFirst } from '../prepare.ts';
import { dial } from './dial.ts';
import { attachOnce } from './place.ts';
import { endWithLine, hangUpCaller, lineOf, pollLine } from './line.ts';
import type { SpokenCall } from './spoken-call.ts';

/** How long after the carrier's own limit of ringing its notice may come. */
const ringingNoticeMs = 15_000;
/** From a stream's command to its beginning. */
const streamBeginMs = 500;

/**
 * From admission until somebody is there to talk with. The customer's values are fetched while it rings.
 * False when nobody is: the call is over then, with its outcome.
 */
export async function connect(spoken: SpokenCall): Promise<boolean> {
  if (!(await claimFirst(spoken))) return false;
  let isFetched = false;
  const fetching = fetchFirst(spoken.input).then(() => (isFetched = true));
  fetching.catch(() => undefined); // a cancel of the call, which everything else sees too
  if (!(await reach(spoken))) return false;
  spoken.talkingSinceMs = Date.now();
  spoken.lastHeardMs = Date.now();
  spoken.call.talking(new Date().toISOString());
  await condition(() => isFetched || spoken.isDown, timeoutsMs.preCallFetchStartToClose, {
    summary: 'Wait for the values of the customer',
  });
  const { delayedStartMs = 0 } = spoken.input;
  if (delayedStartMs > 0)
    await condition(() => spoken.isDown, delayedStartMs, {
      summary: `Wait ${delayedStartMs / 1000} s before the opening`,
    });
  return true;
}

/** No host takes the call: nobody is rung, whoever rings is told so by the end of the line. */
async function claimFirst(spoken: SpokenCall): Promise<boolean> {
  if (await spoken.seats.claim(Date.now() + spoken.timing.mediaResumeMs, () => spoken.isDown)) return true;
  if (spoken.isDown) await endWithLine(spoken);
  spoken.dialAnswer = { kind: 'refused', message: 'no media host is free' };
  spoken.hasFailedToStart = spoken.channel.direction === 'outbound';
  spoken.end('system_connect_error', { retryClass: 'capacity' });
  return false;
}

async function reach(spoken: SpokenCall): Promise<boolean> {
  if (!spoken.isPhone) return true;
  if (spoken.channel.direction === 'inbound') return await answer(spoken);
  return (await dial(spoken)) && (await ring(spoken));
}

/** Takes the incoming call. The command's success is the answer: the stream comes with it. */
async function answer(spoken: SpokenCall): Promise<boolean> {
  const { ids } = spoken.leg;
  if (ids === null) return false;
  const { answerCall } = activitiesOf<TelephonyActivities>('carrier', 'Answer');
  try {
    const answered = spoken.isDown
      ? 'over'
      : await answerCall({ ...lineOf(spoken), ...ids, generation: spoken.seats.generation });
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
  await endWithLine(spoken);
  return false;
}

/**
 * Until somebody answers. A host that dies meanwhile is replaced at once, so that there is one when they do.
 */
async function ring(spoken: SpokenCall): Promise<boolean> {
  const untilMs = Date.now() + spoken.timing.ringingMs + ringingNoticeMs;
  let looks = 0;
  const isDecided = () => spoken.leg.phase === 'answered' || spoken.isDown;
  while (!isDecided()) {
    const leftMs = untilMs - Date.now();
    // guarantee: while-carrier-tells-nothing
    if (leftMs <= 0) return await giveUpRinging(spoken);
    const isNews = await condition(
      () => isDecided() || spoken.seats.isLost,
      Math.min(leftMs, spoken.timing.answerLookMs),
      { summary: 'Wait for an answer' },
    );
    if (!isNews) await look(spoken, (looks += 1));
    // guarantee: host-dies-while-phone
    if (
      !isDecided() &&
      spoken.seats.isLost &&
      !(await spoken.seats.claim(Date.now() + spoken.timing.mediaResumeMs, isDecided)) &&
      !isDecided()
    )
      return await giveUpHost(spoken);
  }
  if (!spoken.isDown) return true;
  await endWithLine(spoken);
  return false;
}

/**
 * The stream that the dial asked for ended with its host, and would tell of no answer: it is asked for at the
 * new one. The carrier refuses while the phone rings.
 */
async function look(spoken: SpokenCall, attempt: number): Promise<void> {
  const hasNoStream = !spoken.isHostLost && spoken.streamGeneration !== spoken.seats.generation;
  // guarantee: call-host-died-while
  if (hasNoStream && (await attachOnce(spoken, attempt)) === 'attached') {
    spoken.streamGeneration = spoken.seats.generation;
    await condition(() => spoken.isDown, streamBeginMs, { summary: 'Wait for the stream to begin' });
  }
  await hearMedia(spoken);
}

/**
 * The carrier begins the stream when somebody answers: it stands for a notice of the answer that never came.
 */
async function hearMedia(spoken: SpokenCall): Promise<void> {
  const { findMediaBegin } = activitiesOf<TelephonyActivities>('quick', 'Look whether somebody answered');
  const beganAt = await findMediaBegin(lineOf(spoken));
  const { ids } = spoken.leg;
  if (beganAt !== null && ids !== null && spoken.leg.phase !== 'ended')
    spoken.leg = hearCarrier(spoken.leg, { occurredAt: beganAt, leg: ids, what: { kind: 'answered' } });
}

/** The carrier should have said by now how it ended. */
async function giveUpRinging(spoken: SpokenCall): Promise<boolean> {
  await pollLine(spoken);
  spoken.end('no-answer', { word: 'no-answer', retryClass: 'no_answer' });
  await hangUpCaller(spoken);
  return false;
}

/** Nobody of ours would talk to who answers. */
async function giveUpHost(spoken: SpokenCall): Promise<boolean> {
  spoken.end('system_connect_error', { retryClass: 'provider' });
  await hangUpCaller(spoken);
  return false;
}
