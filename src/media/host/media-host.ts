import type { SeatHost } from '../../activities/seat.ts';
import type { ClaimSeatInput } from '../../domain/call/voice.ts';
import { timeoutsMs } from '../../domain/declaration.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { LoopLag } from '../../runtime/loop-lag.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import type { LostSeat } from '../../services/media/index.ts';
import { repeat } from '../../runtime/repeat.ts';
import type { Session, Sessions } from '../sessions.ts';
import type { Hold } from './hold.ts';

/**
 * A media host as the rest of the system sees it: its lease, its seats, and how it leaves.
 *
 *  - H1. The host renews its lease every half second on a separate connection, independent of audio and
 *    conversations. When a renewal says that the host was found lost, its calls belong to other hosts: it cuts
 *    all streams, and `onLost` ends the process. A lease that ran out ends nothing.
 *  - H2. While MySQL is down, streams go on and no host is lost: the watcher of hosts cannot read them either.
 *  - H3. The host notices within half a second that a seat was lost to a newer generation or to the end of
 *    the call.
 *  - H4. A host that drains, is full, or has a late event loop accepts no new calls.
 *  - H5. After a pause without processor time the host sends no sound until its lease is renewed and the seats
 *    that it lost meanwhile are ended, however slow MySQL is.
 */
export interface MediaHost extends SeatHost {
  readonly isDraining: boolean;
  /**
   * Registers the host and renews its lease from now on. Call this last: on a busy machine, a start takes
   * longer than a lease.
   */
  begin(): Promise<void>;
  /** Renews the lease now, besides its rhythm. */
  renewNow(): void;
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
  hold: Pick<Hold, 'isHeld' | 'renewed'>;
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
/** After this wait for MySQL, the next renewal is due: until then, nobody finds the host lost by its silence. */
const renewalLimitMs = timeoutsMs.mediaHostSilence;
/** After this wait for MySQL, the sessions are looked at again. */
const lookLimitMs = 1000;

/** A media host that does nothing until `begin`. */
export function createMediaHost(options: MediaHostOptions): MediaHost {
  return new LeasedHost(options);
}

class LeasedHost implements MediaHost {
  readonly #options: MediaHostOptions;
  #isDraining = false;
  #isLost = false;
  #lagMs = 0;
  #loops: { stop: () => Promise<void> }[] = [];

  constructor(options: MediaHostOptions) {
    this.#options = options;
  }

  get hostId(): string {
    return this.#options.hostId;
  }

  get hostQueue(): string {
    return this.#options.hostQueue;
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  async begin(): Promise<void> {
    const { register, loopLag, log } = this.#options;
    await register();
    loopLag.read(); // discards the lag of the start
    this.#loops = [
      repeat({
        what: 'renewing the lease',
        pauseMs: timeoutsMs.mediaLeaseRenewal,
        work: () => this.#renew(),
        log,
      }),
      repeat({ what: 'comparing seats with MySQL', pauseMs: lookEveryMs, work: () => this.#look(), log }),
    ];
  }

  isOpen(call?: Pick<ClaimSeatInput, 'callId'>): boolean {
    return this.#lagMs <= maxLagMs && this.hasRoom(call);
  }

  hasRoom(call?: Pick<ClaimSeatInput, 'callId'>): boolean {
    if (this.#isDraining || this.#isLost) return false;
    const others = this.#sessions().filter(({ callId }) => callId !== call?.callId);
    return others.length < this.#options.maxCalls;
  }

  holds({ callId, generation }: ClaimSeatInput): boolean {
    return this.#options.sessions.find(callId, generation) !== null;
  }

  keep(call: ClaimSeatInput): boolean {
    return this.#options.sessions.seat(call) !== null;
  }

  release({ callId, generation }: ClaimSeatInput): void {
    this.#options.sessions.find(callId, generation)?.report({ kind: 'released' });
  }

  renewNow(): void {
    if (this.#loops.length === 0) return; // not registered yet
    const { log, hostId } = this.#options;
    this.#renew().catch((error: unknown) =>
      log.warn({ hostId, err: error }, 'The lease cannot be renewed at once; the next renewal will'),
    );
  }

  async drain(): Promise<void> {
    const { log, hostId } = this.#options;
    this.#isDraining = true;
    await this.#renew().catch((error: unknown) =>
      log.warn(
        { hostId, err: error },
        'Cannot record that this media host drains; the next lease renewal will',
      ),
    );
  }

  async whenEmpty(limitMs: number): Promise<void> {
    const { log, hostId } = this.#options;
    for (const end = performance.now() + limitMs; this.#sessions().length > 0 && performance.now() < end;)
      await new Promise((resolve) => setTimeout(resolve, 50));
    const calls = this.#sessions().length;
    if (calls > 0)
      log.warn(
        { hostId, calls },
        'Calls are left on the draining host: they move to other hosts when the lease ends',
      );
  }

  async leave(): Promise<void> {
    const { endLease, log, hostId } = this.#options;
    for (const loop of this.#loops) await loop.stop();
    await endLease().catch((error: unknown) =>
      log.warn({ hostId, err: error }, 'The lease cannot be ended; it will expire'),
    );
  }

  #sessions(): Session[] {
    return this.#options.sessions.all();
  }

  async #renew(): Promise<void> {
    const { hostId, renewLease } = this.#options;
    const begunAtMs = performance.now();
    const news = { id: hostId, isDraining: this.#isDraining, liveCalls: this.#sessions().length };
    const renewing = renewLease(news).then((outcome) => this.#renewed(outcome, begunAtMs));
    await within(renewalLimitMs, renewing);
  }

  /** An answer counts however late it is, because it proves that the host was not lost when it asked. */
  async #renewed(outcome: 'held' | 'lost', begunAtMs: number): Promise<void> {
    const { hold } = this.#options;
    if (outcome === 'lost') return this.#giveUp();
    if (!hold.isHeld()) return;
    await this.#endOvertaken();
    hold.renewed(begunAtMs);
  }

  /** Cuts all streams: the calls belong to other hosts. */
  #giveUp(): void {
    if (this.#isLost) return;
    const { hostId, log, onLost } = this.#options;
    this.#isLost = true;
    log.error(
      { hostId, calls: this.#sessions().length },
      'This media host was declared lost; its calls move to other hosts',
    );
    for (const session of this.#sessions()) session.report({ kind: 'overtaken' });
    onLost();
  }

  async #look(): Promise<void> {
    const { loopLag, sessions, hold } = this.#options;
    this.#lagMs = loopLag.read().p95Ms;
    // Sound that came during a pause is not read yet, so no stream counts as silent.
    if (!hold.isHeld()) sessions.watch();
    this.#countSessions();
    await within(lookLimitMs, this.#endOvertaken());
  }

  #countSessions(): void {
    for (const state of ['seated', 'connected', 'live'] as const)
      this.#options.metrics.gauge(
        'parlance_media_sessions',
        { session_state: state },
        this.#sessions().filter((each) => each.state.kind === state).length,
      );
  }

  async #endOvertaken(): Promise<void> {
    const { findOvertaken, sessions } = this.#options;
    const held = this.#sessions().map(({ callId, generation }) => ({ callId, generation }));
    for (const { callId, generation, kind } of await findOvertaken(held))
      sessions.find(callId, generation)?.report({ kind });
  }
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
