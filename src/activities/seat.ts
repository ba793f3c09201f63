import type { ClaimSeatInput, ClaimSeatOutcome } from '../domain/call/voice.ts';
import { PreconditionError } from '../domain/errors.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { claimSeat, findOpenHost, releaseSeat, type SeatDeps } from '../services/media/index.ts';
import { toApplicationFailure } from './failure.ts';

/** A media host, as those who want a place at it see it. */
export interface SeatHost {
  hostId: string;
  hostQueue: string;
  /**
   * Whether it takes that call now: any one, or one that may have an older place here, which it would give
   * up.
   */
  isOpen(call?: Pick<ClaimSeatInput, 'callId'>): boolean;
  /**
   * Whether the call has this very place already: a browser's socket came first, or the question was asked
   * before.
   */
  holds(call: ClaimSeatInput): boolean;
  /** Keeps the place; false when the call has a newer one here. */
  keep(call: ClaimSeatInput): boolean;
  /** Ends the stream of that place. */
  release(call: ClaimSeatInput): void;
}

export interface SeatActivityDeps extends SeatDeps {
  host: SeatHost;
  metrics: Metrics;
}

/** Places at this media host: claimed on the shared queue, released on its own. */
export function createSeatActivities({ host, metrics, ...deps }: SeatActivityDeps) {
  const { hostId, hostQueue } = host;
  const count = (outcome: 'seated' | 'full' | 'refused') =>
    metrics.count('parlance_media_seats_total', { seat_outcome: outcome });

  return {
    /** A place for the call, with a fresh token for its stream in MySQL. */
    async claimSeat(input: ClaimSeatInput): Promise<ClaimSeatOutcome> {
      const seated = { kind: 'seated' as const, seat: { hostId, hostQueue, generation: input.generation } };
      if (host.holds(input)) return seated;
      if (!host.isOpen(input)) {
        count('full');
        return await otherHost(deps, hostId);
      }
      try {
        await claimSeat({ deps, input, hostId });
        if (!host.keep(input)) throw new PreconditionError('The call has a newer place');
      } catch (error) {
        count('refused');
        throw toApplicationFailure(error, idsOf(input));
      }
      count('seated');
      return seated;
    },

    /** Gives a place back; harmless when it is gone already. */
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
 * Of several hosts that wait on the shared queue, the server may ask the same one again and again: a full one
 * says who has room.
 */
async function otherHost({ db }: SeatDeps, hostId: string): Promise<ClaimSeatOutcome> {
  const other = await findOpenHost(db.manager).catch(() => null); // the next claim finds one all the same
  return other === null || other.id === hostId
    ? { kind: 'full' }
    : { kind: 'full', elsewhere: other.hostQueue };
}

function idsOf({ callId, organizationId, generation }: ClaimSeatInput) {
  return { callId, organizationId, generation };
}
