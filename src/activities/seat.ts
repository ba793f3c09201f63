import type { ClaimSeatInput, ClaimSeatOutcome } from '../domain/call/voice.ts';
import { PreconditionError } from '../domain/errors.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { claimSeat, findOpenHost, releaseSeat, type SeatDeps } from '../services/media/index.ts';
import { toApplicationFailure } from './failure.ts';

/** A media host, as seen by the activities that claim seats at it. */
export interface SeatHost {
  hostId: string;
  hostQueue: string;
  /** Whether the host takes a call now. A call with an older seat here may replace that seat. */
  isOpen(call?: Pick<ClaimSeatInput, 'callId'>): boolean;
  /** The same, but also while the host is late. */
  hasRoom(call: Pick<ClaimSeatInput, 'callId'>): boolean;
  /**
   * Whether the call already has exactly this seat, because a browser's socket opened it or the claim is
   * repeated.
   */
  holds(call: ClaimSeatInput): boolean;
  /** Keeps the seat; false when the call has a newer one here. */
  keep(call: ClaimSeatInput): boolean;
  /** Ends the stream of that seat. */
  release(call: ClaimSeatInput): void;
}

export interface SeatActivityDeps extends SeatDeps {
  host: SeatHost;
  metrics: Metrics;
}

/** Seats at this media host: claimed on the shared queue, released on its own. */
export function createSeatActivities({ host, metrics, ...deps }: SeatActivityDeps) {
  const { hostId, hostQueue } = host;
  const count = (outcome: 'seated' | 'full' | 'refused') =>
    metrics.count('parlance_media_seats_total', { seat_outcome: outcome });

  return {
    /** Claims a seat for the call, with a fresh token for its stream in MySQL. */
    async claimSeat(input: ClaimSeatInput): Promise<ClaimSeatOutcome> {
      const seated = { kind: 'seated' as const, seat: { hostId, hostQueue, generation: input.generation } };
      if (host.holds(input)) return seated;
      if (!host.isOpen(input)) {
        const elsewhere = await otherQueue(deps, hostId);
        if (elsewhere !== null || !isResumed(input) || !host.hasRoom(input)) {
          count('full');
          return elsewhere === null ? { kind: 'full' } : { kind: 'full', elsewhere };
        }
      }
      try {
        await claimSeat({ deps, input, hostId });
        if (!host.keep(input)) throw new PreconditionError('The call has a newer seat');
      } catch (error) {
        count('refused');
        throw toApplicationFailure(error, idsOf(input));
      }
      count('seated');
      return seated;
    },

    /** Releases a seat. It is idempotent. */
    async releaseSeat(input: ClaimSeatInput): Promise<void> {
      host.release(input);
      try {
        await releaseSeat({ deps, input });
      } catch (error) {
        throw toApplicationFailure(error, idsOf(input));
      }
    },
  };
}

/**
 * Finds the queue of another host with free seats. The Temporal server may choose the same host of the shared
 * queue repeatedly, so a full host names one.
 */
async function otherQueue({ db }: SeatDeps, hostId: string): Promise<string | null> {
  const other = await findOpenHost(db.manager).catch(() => null); // the next claim may still find a host
  return other === null || other.id === hostId ? null : other.hostQueue;
}

/** Somebody is in the call already: a late host is better than none. */
// guarantee: late-host-takes-live-calls
const isResumed = ({ generation }: ClaimSeatInput): boolean => generation > 1;

function idsOf({ callId, organizationId, generation }: ClaimSeatInput) {
  return { callId, organizationId, generation };
}
