import { isCancellation, sleep } from '@temporalio/workflow';
import type { Attached, TelephonyActivities } from '../../../activities/telephony.ts';
import { legGone } from '../../../domain/telephony/leg.ts';
import { activitiesOf } from '../../proxies.ts';
import { lineOf } from './line.ts';
import type { SpokenCall } from './spoken-call.ts';

const attachAgainMs = 250;
/** Streams that are asked for at one host before another one is. */
const maxAttaches = 3;

/** `lost`: no host speaks within the time that there is (design: 12 s). */
export type Placed = 'placed' | 'down' | 'lost';

/**
 * Gives the call a host again: what is behind is committed, a seat of the next generation claimed, and the
 * line's stream moved there. Tried until `deadlineMs`.
 */
export async function place(spoken: SpokenCall, deadlineMs: number): Promise<Placed> {
  if (!spoken.isPhone) return 'lost'; // a browser comes back by itself, as another call
  if (!(await spoken.commits.drained(Math.max(1, deadlineMs - Date.now())))) return 'lost';
  // A seat that was claimed while the phone rang has had no stream yet.
  if (spoken.seats.current !== null && !spoken.isHostLost && (await attach(spoken, deadlineMs)))
    return 'placed';
  while (!spoken.isDown) {
    if (!(await spoken.seats.claim(deadlineMs, () => spoken.isDown))) return spoken.isDown ? 'down' : 'lost';
    if (await attach(spoken, deadlineMs)) return 'placed';
  }
  return 'down';
}

/** False when the stream could not be moved there: another seat may do. */
async function attach(spoken: SpokenCall, deadlineMs: number): Promise<boolean> {
  const { generation } = spoken.seats;
  for (
    let attempt = 1;
    attempt <= maxAttaches && !spoken.isDown && !spoken.seats.isLost && Date.now() < deadlineMs;
    attempt += 1
  ) {
    const attached = await attachOnce(spoken, attempt);
    if (attached === 'attached') {
      spoken.streamGeneration = generation;
      return true;
    }
    if (attached === 'over') spoken.leg = legGone(spoken.leg, new Date().toISOString());
    if (attached === 'over' || attached === 'stale') return false;
    await sleep(attachAgainMs, { summary: 'Wait before the stream is asked for again' });
  }
  return false;
}

/** Asks once for the line's stream at the newest seat; `busy` when the carrier did not do it, whyever. */
export async function attachOnce(spoken: SpokenCall, attempt: number): Promise<Attached> {
  const { ids } = spoken.leg;
  const { generation } = spoken.seats;
  if (ids === null) return 'over';
  const { attachStream } = activitiesOf<TelephonyActivities>(
    'carrierOnce',
    `Move the stream to the seat of generation ${generation}`,
  );
  try {
    return await attachStream({ ...lineOf(spoken), callControlId: ids.callControlId, generation, attempt });
  } catch (error) {
    if (isCancellation(error)) throw error;
    return 'busy';
  }
}
