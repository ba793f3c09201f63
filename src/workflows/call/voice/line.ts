import { condition, isCancellation, log } from '@temporalio/workflow';
import type { TelephonyActivities } from '../../../activities/telephony.ts';
import { legGone, legOutcome } from '../../../domain/telephony/leg.ts';
import { InvariantError } from '../../../domain/errors.ts';
import { activitiesOf } from '../../proxies.ts';
import type { SpokenCall } from './spoken-call.ts';

/**
 * How long the carrier's news of an end are waited for, after our own command or the host's word: they say
 * how it ended.
 */
const newsMs = 1000;
/** The apology, spoken. */
const apologyMs = 10_000;

/** The call's line, as every command to it names it. */
export function lineOf({ input, channel }: SpokenCall) {
  const { callId, organizationId, callUuid } = input;
  if (channel.configurationId === null) throw new InvariantError('A call in a browser has no line');
  return { callId, organizationId, callUuid, configurationId: channel.configurationId };
}

/** Ends the caller's leg unless it is over, and waits a moment for the carrier to say so. */
export async function hangUpCaller(spoken: SpokenCall): Promise<void> {
  const { ids } = spoken.leg;
  if (spoken.isDown || spoken.isHungUp || ids === null || !spoken.isPhone) return;
  spoken.isHungUp = true;
  const { hangUp } = activitiesOf<TelephonyActivities>('hangUp', 'Hang up');
  try {
    await hangUp({ ...lineOf(spoken), callControlId: ids.callControlId, step: 'end' });
  } catch (error) {
    if (isCancellation(error)) throw error;
    // The call's record must not wait for it: whoever hears of the line later hangs it up, and the carrier
    // has a limit of its own.
    spoken.isLeftOpen = true;
    log.error('A line could not be hung up');
  }
  await condition(() => spoken.isDown, newsMs, { summary: 'Wait for the carrier to say how it ended' });
}

/** Ends the leg that a transfer dialed, where there is one that lives. */
export async function hangUpDestination(spoken: SpokenCall): Promise<void> {
  const { transfer } = spoken;
  if (transfer?.leg.ids == null || transfer.leg.phase === 'ended' || transfer.isHungUp) return;
  spoken.transfer = { ...transfer, isHungUp: true };
  const { hangUp } = activitiesOf<TelephonyActivities>('hangUp', 'Hang up the destination');
  try {
    await hangUp({
      ...lineOf(spoken),
      callControlId: transfer.leg.ids.callControlId,
      step: `transfer.${transfer.attempt}`,
    });
  } catch (error) {
    if (isCancellation(error)) throw error;
    spoken.transfer = { ...spoken.transfer, isLeftOpen: true };
    log.error('The line of a destination could not be hung up');
  }
}

/** Asks the carrier whether the line lives; a line that does not is down from now on. */
export async function pollLine(spoken: SpokenCall): Promise<void> {
  const { ids } = spoken.leg;
  if (spoken.isDown || ids === null || !spoken.isPhone) return;
  const { pollLeg } = activitiesOf<TelephonyActivities>('carrierOnce', 'Ask whether the line lives');
  try {
    const { isAlive } = await pollLeg({ ...lineOf(spoken), callControlId: ids.callControlId });
    if (!isAlive) spoken.leg = legGone(spoken.leg, new Date().toISOString());
  } catch (error) {
    if (isCancellation(error)) throw error;
  }
}

/** The line went down by itself: what the carrier says of it is the outcome (contract 8.4). */
export async function endWithLine(spoken: SpokenCall): Promise<void> {
  // The word of an answer may come after that of the end.
  if (spoken.leg.answeredAt === null && spoken.talkingSinceMs === null)
    await condition(() => spoken.leg.answeredAt !== null, newsMs, {
      summary: 'Wait for news that were overtaken',
    });
  // Nobody saw how it ended, but there was a conversation: whoever had it is gone.
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

/** The carrier's own voice says that something is broken, then the line is hung up: no host can. */
export async function apologize(spoken: SpokenCall): Promise<void> {
  spoken.end('pipeline_error', { retryClass: 'provider' });
  const { ids } = spoken.leg;
  if (spoken.isDown || ids === null || !spoken.isPhone) return;
  const { speakApology } = activitiesOf<TelephonyActivities>(
    'carrier',
    'Apologize in the voice of the carrier',
  );
  try {
    if ((await speakApology({ ...lineOf(spoken), callControlId: ids.callControlId })) === 'over') return;
  } catch (error) {
    if (isCancellation(error)) throw error;
    return; // it cannot be said; the line is hung up all the same
  }
  await condition(() => spoken.isDown || spoken.leg.hasSpoken, apologyMs, {
    summary: 'Wait for the apology to be heard',
  });
}
