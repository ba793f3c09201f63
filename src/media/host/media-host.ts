import type { SeatHost } from '../../activities/seat.ts';
import { timeoutsMs } from '../../domain/declaration.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { LoopLag } from '../../runtime/loop-lag.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import type { LostSeat } from '../../services/media/index.ts';
import { repeat } from '../../runtime/repeat.ts';
import type { Sessions } from '../sessions.ts';

/**
 * A media host as others see it: its lease, the places it gives, and how it leaves.
 *
 * H1. The lease is renewed every half second on a connection of its own, whatever the audio and the
 * conversations do. A host that had no processor
 *     time takes it up again, until somebody has found the host lost: from then on everything here belongs to
 *     other hosts. All streams are cut, and
 *     `onLost` ends the process.
 * H2. While MySQL is away streams go on, and nobody is lost: who watches leases sees as little as we do. H3.
 * A place that is none any more, because a newer generation or the call's end took it, is noticed within half
 * a second. H4. A host that drains, is full, or whose event loop is late takes no more calls.
 */
export interface MediaHost extends SeatHost {
  readonly isDraining: boolean;
  /**
   * Makes the host known, and renews its lease from now on. Called when all else is up: a start on a busy
   * machine takes longer than a lease.
   */
  begin(): Promise<void>;
  /** Takes no more calls from now on. */
  drain(): Promise<void>;
  /** Resolves when no call is left, or `limitMs` are over. */
  whenEmpty(limitMs: number): Promise<void>;
  /** Ends the lease; what is still here is placed elsewhere at once. */
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
/** So far ahead sound is sent: a loop that is later in one of twenty looks makes people hear gaps. */
const maxLagMs = 120;
/** An answer of MySQL that takes longer is not waited for: the next renewal is due. */
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
      'This media host was found lost; its calls are placed elsewhere',
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
      loopLag.read(); // what came before belongs to the start
      loops = [
        repeat({ what: 'renewing the lease', pauseMs: timeoutsMs.mediaLeaseRenewal, work: renew, log }),
        repeat({ what: 'comparing places with MySQL', pauseMs: lookEveryMs, work: look, log }),
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
          'That this media host drains could not be written; the next renewal says so',
        ),
      );
    },
    async whenEmpty(limitMs) {
      for (const end = performance.now() + limitMs; sessions.all().length > 0 && performance.now() < end;)
        await new Promise((resolve) => setTimeout(resolve, 50));
      if (sessions.all().length > 0)
        log.warn(
          { hostId, calls: sessions.all().length },
          'Calls are left behind: they are placed elsewhere when the lease ends',
        );
    },
    async leave() {
      for (const loop of loops) await loop.stop();
      await options
        .endLease()
        .catch((error: unknown) =>
          log.warn({ hostId, err: error }, 'The lease could not be ended; it runs out'),
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
