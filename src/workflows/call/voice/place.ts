import { isCancellation, sleep } from '@temporalio/workflow';
import type { Attached, TelephonyActivities } from '../../../activities/telephony.ts';
import { legGone } from '../../../domain/telephony/leg.ts';
import { activitiesOf } from '../../proxies.ts';
import { connectionOf } from './legs.ts';
import type { SpokenCall } from './spoken-call.ts';

const attachAgainMs = 250;
/** The maximum of stream requests for one host; after them another host is claimed. */
const maxAttaches = 3;

/** `lost`: no host could speak before the deadline. */
export type Placed = 'placed' | 'down' | 'lost';

/**
 * Gives the call a host again: it drains the commits, claims a seat of the next generation, and moves the
 * leg's stream there. It retries until `deadlineMs`.
 */
export async function place(spoken: SpokenCall, deadlineMs: number): Promise<Placed> {
  if (!spoken.isPhone) return 'lost'; // a browser reconnects by itself, as another call
  if (!(await spoken.commits.drained(Math.max(1, deadlineMs - Date.now())))) return 'lost';
  // A seat that was claimed while the phone rang has no stream yet.
  if (spoken.seats.current !== null && !spoken.isHostLost && (await attach(spoken, deadlineMs)))
    return 'placed';
  while (!spoken.isDown) {
    if (!(await spoken.seats.claim(deadlineMs, () => spoken.isDown))) return spoken.isDown ? 'down' : 'lost';
    if (await attach(spoken, deadlineMs)) return 'placed';
  }
  return 'down';
}

/** False when the stream could not be moved there; another seat may work. */
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
    await sleep(attachAgainMs, { summary: 'Wait before the next stream request' });
  }
  return false;
}

/** Requests the leg's stream at the newest seat once; `busy` when the carrier failed for any reason. */
export async function attachOnce(spoken: SpokenCall, attempt: number): Promise<Attached> {
  const { ids } = spoken.leg;
  const { generation } = spoken.seats;
  if (ids === null) return 'over';
  const { attachStream } = activitiesOf<TelephonyActivities>(
    'carrierOnce',
    `Move the stream to the seat of generation ${generation}`,
  );
  try {
    return await attachStream({
      ...connectionOf(spoken),
      callControlId: ids.callControlId,
      generation,
      attempt,
    });
  } catch (error) {
    if (isCancellation(error)) throw error;
    return 'busy';
  }
}
