import { condition, isCancellation, log } from '@temporalio/workflow';
import type { TelephonyActivities } from '../../../activities/telephony.ts';
import { endStatus, provesNoAnswer } from '../../../domain/telephony/call-status.ts';
import { type Leg, legAnswered, legGone, legOutcome } from '../../../domain/telephony/leg.ts';
import { InvariantError } from '../../../domain/errors.ts';
import { activitiesOf } from '../../proxies.ts';
import type { SpokenCall } from './spoken-call.ts';

/** How long to wait for the carrier's event about the end of a leg, which says how it ended. */
const endEventMs = 1000;
/** Maximum duration of the spoken apology. */
const apologyMs = 10_000;

/** The call and its connection, for every carrier command. */
export function connectionOf({ input, channel }: SpokenCall) {
  const { callId, organizationId, callUuid } = input;
  if (channel.configurationId === null) throw new InvariantError('A call in a browser has no connection');
  return { callId, organizationId, callUuid, configurationId: channel.configurationId };
}

/** Hangs up the caller's leg unless it has ended, and briefly waits for the carrier's event. */
export async function hangUpCaller(spoken: SpokenCall): Promise<void> {
  const { ids } = spoken.leg;
  if (spoken.isDown || spoken.isHungUp || ids === null || !spoken.isPhone) return;
  spoken.isHungUp = true;
  const { hangUp } = activitiesOf<TelephonyActivities>('hangUp', 'Hang up');
  try {
    await hangUp({ ...connectionOf(spoken), callControlId: ids.callControlId, step: 'end' });
  } catch (error) {
    if (isCancellation(error)) throw error;
    // The call's record must not wait for it: the receiver of the leg's next event hangs it up, and the
    // carrier has a time limit of its own.
    spoken.isLeftOpen = true;
    log.error('The leg of the caller could not be hung up');
  }
  await condition(() => spoken.isDown, endEventMs, { summary: 'Wait for the carrier to say how it ended' });
}

/** Hangs up the leg that a transfer dialed, if it lives. */
export async function hangUpDestination(spoken: SpokenCall): Promise<void> {
  const { transfer } = spoken;
  if (transfer?.leg.ids == null || transfer.leg.phase === 'ended' || transfer.isHungUp) return;
  spoken.transfer = { ...transfer, isHungUp: true };
  const { hangUp } = activitiesOf<TelephonyActivities>('hangUp', 'Hang up the destination');
  try {
    await hangUp({
      ...connectionOf(spoken),
      callControlId: transfer.leg.ids.callControlId,
      step: `transfer.${transfer.attempt}`,
    });
  } catch (error) {
    if (isCancellation(error)) throw error;
    spoken.transfer = { ...spoken.transfer, isLeftOpen: true };
    log.error('The leg of a destination could not be hung up');
  }
}

/** Asks the carrier whether the caller's leg lives; otherwise the leg counts as ended. */
export async function checkLeg(spoken: SpokenCall): Promise<void> {
  if (spoken.isDown || !spoken.isPhone) return;
  const life = await lifeOf(spoken, spoken.leg);
  // guarantee: carrier-says-when-a-leg-ended
  if (life?.isAlive === false) spoken.leg = legGone(spoken.leg, life.endedAt);
}

/** The same for the leg that a transfer dialed. */
export async function checkDestination(spoken: SpokenCall): Promise<void> {
  const { transfer } = spoken;
  if (transfer === null || transfer.leg.phase === 'ended') return;
  const life = await lifeOf(spoken, transfer.leg);
  if (life?.isAlive !== false || spoken.transfer?.attempt !== transfer.attempt) return;
  // guarantee: destination-asked-after-quiet
  spoken.transfer = { ...spoken.transfer, leg: legGone(spoken.transfer.leg, life.endedAt) };
}

/** What the carrier says about a leg; null if it does not answer. `endedAt`: ISO 8601. */
export async function lifeOf(
  spoken: SpokenCall,
  { ids }: Leg,
): Promise<{ isAlive: true } | { isAlive: false; endedAt: string } | null> {
  if (ids === null) return null;
  const { pollLeg } = activitiesOf<TelephonyActivities>('carrierOnce', 'Ask whether the leg lives');
  try {
    const { isAlive, endedAt } = await pollLeg({
      ...connectionOf(spoken),
      callControlId: ids.callControlId,
    });
    return isAlive ? { isAlive } : { isAlive, endedAt: endedAt ?? new Date().toISOString() };
  } catch (error) {
    if (isCancellation(error)) throw error;
    return null;
  }
}

/**
 * The leg ended without a hang-up by the Workflow. The carrier's cause determines the disposition (contract 8.4), unless
 * the host hung up.
 */
export async function endWithLeg(spoken: SpokenCall): Promise<void> {
  if (spoken.isGivenUp) return spoken.end('pipeline_error', { retryClass: 'provider' });
  if (spoken.leg.answeredAt === null && spoken.talkingSinceMs === null) await hearLateAnswer(spoken);
  // The cause is unknown, but there was a conversation, so the caller has hung up.
  if (spoken.leg.hangup === null && spoken.talkingSinceMs !== null) return spoken.end('user_hangup');
  const { disposition, word, retryClass, isKnown } = legOutcome(
    spoken.talkingSinceMs === null || spoken.leg.answeredAt !== null
      ? spoken.leg
      : { ...spoken.leg, answeredAt: spoken.leg.endedAt },
  );
  if (!isKnown)
    log.warn('The carrier gave an unknown cause for the end of a call', {
      cause: spoken.leg.hangup?.cause ?? '',
    });
  spoken.end(disposition, { word, retryClass });
}

/**
 * The event of the answer may arrive after that of the end, or never. Then the stream of the leg shows whether
 * it was answered. A cause that proves that no one answered needs no wait.
 */
async function hearLateAnswer(spoken: SpokenCall): Promise<void> {
  if (provesNoAnswer(spoken.leg.hangup?.cause ?? 'unspecified')) return;
  await condition(() => spoken.leg.answeredAt !== null, endEventMs, {
    summary: 'Wait for events that arrive late',
  });
  const cause = spoken.leg.hangup?.cause ?? 'unspecified';
  if (spoken.leg.answeredAt === null && endStatus(cause) === 'completed') await hearMedia(spoken);
}

/**
 * Takes the beginning of the stream for an answer whose event has not arrived: the carrier begins the stream
 * when the call is answered. The host reports it, too, unless it cannot reach Temporal.
 */
export async function hearMedia(spoken: SpokenCall): Promise<void> {
  const { findMediaBegin } = activitiesOf<TelephonyActivities>('quick', 'Check for an answer');
  const beganAt = await findMediaBegin(connectionOf(spoken));
  // guarantee: media-prove-the-answer
  if (beganAt !== null) spoken.leg = legAnswered(spoken.leg, beganAt);
}

/** Lets the carrier's own voice apologize, because no host can speak; then the leg is hung up. */
export async function apologize(spoken: SpokenCall): Promise<void> {
  spoken.end('pipeline_error', { retryClass: 'provider' });
  const { ids } = spoken.leg;
  if (spoken.isDown || ids === null || !spoken.isPhone) return;
  const { speakApology } = activitiesOf<TelephonyActivities>(
    'carrier',
    'Apologize in the voice of the carrier',
  );
  try {
    if ((await speakApology({ ...connectionOf(spoken), callControlId: ids.callControlId })) === 'over')
      return;
  } catch (error) {
    if (isCancellation(error)) throw error;
    return; // without an apology, the leg is hung up just the same
  }
  await condition(() => spoken.isDown || spoken.leg.hasSpoken, apologyMs, {
    summary: 'Wait for the end of the apology',
  });
}
