import type { SeatHost } from '../../activities/seat.ts';
import { timeoutsMs } from '../../domain/declaration.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { LoopLag } from '../../runtime/loop-lag.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import type { LostSeat } from '../../services/media/index.ts';
import { repeat } from '../../runtime/repeat.ts';
import type { Sessions } from '../sessions.ts';

/**
 * A media host as the rest of the system sees it: its lease, its seats, and how it leaves.
 *
 *  - H1. The host renews its lease every half second on a separate connection, independent of audio and
 *    conversations. After a pause without processor time it renews the lease again, unless the host was found
 *    lost. Then its calls belong to other hosts: it cuts all streams, and `onLost` ends the process.
 *  - H2. While MySQL is down, streams go on and no host is lost: the watcher of leases cannot read them
 *    either.
 *  - H3. The host notices within half a second that a seat was lost to a newer generation or to the end of
 *    the call.
 *  - H4. A host that drains, is full, or has a late event loop accepts no new calls.
 */
export interface MediaHost extends SeatHost {
  readonly isDraining: boolean;
  /**
   * Registers the host and renews its lease from now on. Call this last: on a busy machine, a start takes
   * longer than a lease.
   */
  begin(): Promise<void>;
  /** Accepts no new calls from now on. */
  drain(): Promise<void>;
  /** Resolves when no call is left, or after `limitMs`. */
  whenEmpty(limitMs: number): Promise<void>;
  /** Ends the lease; calls that are still here move to other hosts at once. */
  leave(): Promise<void>;
}

export interface MediaHostOptions {
  hostId: string;
  hostQueue: string;
  maxCalls: number;
  sessions: Sessions;
  loopLag: LoopLag;
  log: Logger;
  metrics: Metrics;
  register: () => Promise<void>;
  renewLease: (news: { id: string; isDraining: boolean; liveCalls: number }) => Promise<'held' | 'lost'>;
  endLease: () => Promise<void>;
  findOvertaken: (held: { callId: number; generation: number }[]) => Promise<LostSeat[]>;
  onLost: () => void;
}

const lookEveryMs = 500;
/**
 * Sound is sent this far in advance. If the 95th percentile of the loop's lag exceeds it, people hear gaps.
 */
const maxLagMs = 120;
/** Maximum wait for MySQL's answer; then the next renewal is due. */
const renewalLimitMs = timeoutsMs.mediaLeaseRenewal * 2;

export function createMediaHost(options: MediaHostOptions): MediaHost {
  const { hostId, hostQueue, maxCalls, sessions, loopLag, log, metrics } = options;
  let isDraining = false;
  let isLost = false;
  let lagMs = 0;
  let loops: { stop: () => Promise<void> }[] = [];

  async function renew(): Promise<void> {
    const outcome = await within(
      renewalLimitMs,
      options.renewLease({ id: hostId, isDraining, liveCalls: sessions.all().length }),
    );
    if (outcome === 'held' || isLost) return;
    isLost = true;
    log.error(
      { hostId, calls: sessions.all().length },
      'This media host was declared lost; its calls move to other hosts',
    );
    for (const session of sessions.all()) session.report({ kind: 'overtaken' });
    options.onLost();
  }

  async function look(): Promise<void> {
    lagMs = loopLag.read().p95Ms;
    sessions.watch();
    const all = sessions.all();
    for (const state of ['seated', 'connected', 'live'] as const)
      metrics.gauge(
        'parlance_media_sessions',
        { session_state: state },
        all.filter((each) => each.state.kind === state).length,
      );
    const lost = await within(
      renewalLimitMs,
      options.findOvertaken(all.map(({ callId, generation }) => ({ callId, generation }))),
    );
    for (const { callId, generation, kind } of lost) sessions.find(callId, generation)?.report({ kind });
  }

  return {
    hostId,
    hostQueue,
    get isDraining() {
      return isDraining;
    },
    async begin() {
      await options.register();
      loopLag.read(); // discards the lag of the start
      loops = [
        repeat({ what: 'renewing the lease', pauseMs: timeoutsMs.mediaLeaseRenewal, work: renew, log }),
        repeat({ what: 'comparing seats with MySQL', pauseMs: lookEveryMs, work: look, log }),
      ];
    },
    isOpen: (call) =>
      !isDraining &&
      !isLost &&
      lagMs <= maxLagMs &&
      sessions.all().filter(({ callId }) => callId !== call?.callId).length < maxCalls,
    holds: ({ callId, generation }) => sessions.find(callId, generation) !== null,
    keep: (call) => sessions.seat(call) !== null,
    release: ({ callId, generation }) => sessions.find(callId, generation)?.report({ kind: 'released' }),
    async drain() {
      isDraining = true;
      await renew().catch((error: unknown) =>
        log.warn(
          { hostId, err: error },
          'Cannot record that this media host drains; the next lease renewal will',
        ),
      );
    },
    async whenEmpty(limitMs) {
      for (const end = performance.now() + limitMs; sessions.all().length > 0 && performance.now() < end;)
        await new Promise((resolve) => setTimeout(resolve, 50));
      if (sessions.all().length > 0)
        log.warn(
          { hostId, calls: sessions.all().length },
          'Calls are left on the draining host: they move to other hosts when the lease ends',
        );
    },
    async leave() {
      for (const loop of loops) await loop.stop();
      await options
        .endLease()
        .catch((error: unknown) =>
          log.warn({ hostId, err: error }, 'The lease cannot be ended; it will expire'),
        );
    },
  };
}

async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
