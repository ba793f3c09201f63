import type { DataSource } from 'typeorm';
import { timeoutsMs } from '../../domain/declaration.ts';
import { readIdentity, type Identity } from '../../runtime/identity.ts';
import type { Logger } from '../../runtime/logger.ts';
import { repeat } from '../../runtime/repeat.ts';
import { findOpenHost } from './find-open-host.ts';
import {
  findWatchedHosts,
  markLost,
  reportLostHosts,
  type TellSeatLost,
  type WatchedHost,
} from './lost-hosts.ts';

const everyMs = 300;
/** A host that has not renewed its lease for this long is asked whether it lives. */
const lateMs = timeoutsMs.mediaLeaseRenewal * 2;
/** Pause between two attempts to reach a host whose lease is current. */
const reachAgainMs = 10_000;

export interface HostWatchOptions {
  db: DataSource;
  tell: TellSeatLost;
  log: Logger;
  /** Asks the process at an address which host it is. */
  ask?: (probeUrl: string) => Promise<Identity>;
  nowMs?: () => number;
}

/** What this process knows about a host. */
interface Known {
  /** The host has answered at its address before, so a refusal there means that its process is gone. */
  isReached: boolean;
  silentSinceMs: number | null;
  askAgainAtMs: number;
}

/**
 * Finds lost media hosts by evidence. A host that is late renewing its lease is asked which one it is:
 *
 *  - W1. Its address refuses, or another process answers there: the process is gone, and the host is lost at
 *    once. This counts only after the host has answered there before.
 *  - W2. It answers: it lives, however late its lease is.
 *  - W3. It is silent: it is lost only after `mediaHostSilence`, and only while another host has a free seat.
 *
 * A host that ended its own lease is lost by its own word.
 */
export class HostWatch {
  readonly #options: Required<HostWatchOptions>;
  #known = new Map<string, Known>();

  constructor(options: HostWatchOptions) {
    this.#options = { ask: readIdentity, nowMs: () => performance.now(), ...options };
  }

  /** Judges every host once, and informs the calls of lost ones. */
  async look(): Promise<void> {
    const { db, tell, log } = this.#options;
    try {
      const { hosts, isReportDue } = await findWatchedHosts(db);
      this.#known = new Map(hosts.map(({ id }) => [id, this.#known.get(id) ?? unknownHost()]));
      const judged = await Promise.all(hosts.map((host) => this.#judge(host)));
      if (!isReportDue && !judged.includes('lost')) return;
      const lost = await reportLostHosts({ db, tell });
      if (lost > 0) log.warn({ hosts: lost }, 'Media hosts were lost; their calls move to other hosts');
    } catch (error) {
      for (const known of this.#known.values()) known.silentSinceMs = null;
      throw error;
    }
  }

  async #judge(host: WatchedHost): Promise<'lost' | 'kept'> {
    const { db, nowMs } = this.#options;
    const known = this.#known.get(host.id) ?? unknownHost();
    const [isLate, sinceMs] = [host.quietMs > lateMs, nowMs()];
    if (!isLate) known.silentSinceMs = null;
    if (!isLate && (known.isReached || sinceMs < known.askAgainAtMs)) return 'kept';
    known.askAgainAtMs = sinceMs + reachAgainMs;
    const evidence = await this.#ask(host);
    if (evidence === 'alive') known.isReached = true;
    if (evidence === 'alive' || evidence === 'unknown') known.silentSinceMs = null;
    if (!isLate || evidence === 'alive' || evidence === 'unknown') return 'kept';
    // guarantee: dead-media-host-found-at-once
    if (evidence === 'gone' && known.isReached) {
      await markLost({ db, hostId: host.id, quietMs: lateMs });
      return 'lost';
    }
    known.silentSinceMs ??= sinceMs;
    const isSilent = nowMs() - known.silentSinceMs >= timeoutsMs.mediaHostSilence;
    // guarantee: silent-host-keeps-calls-without-another
    if (isSilent && (await findOpenHost(db.manager)) !== null) {
      await markLost({ db, hostId: host.id, quietMs: timeoutsMs.mediaHostSilence });
      return 'lost';
    }
    return 'kept';
  }

  async #ask({ id, probeUrl }: WatchedHost): Promise<'alive' | 'gone' | 'silent' | 'unknown'> {
    const identity = await this.#options.ask(probeUrl);
    if (identity.kind === 'refused') return 'gone';
    // guarantee: answering-host-is-never-lost
    if (identity.kind === 'answered') return identity.id === id ? 'alive' : 'gone';
    return identity.kind;
  }
}

function unknownHost(): Known {
  return { isReached: false, silentSinceMs: null, askAgainAtMs: 0 };
}

/** Looks for lost media hosts periodically. Each worker process runs it. */
export function watchMediaHosts(options: HostWatchOptions): { stop: () => Promise<void> } {
  const watch = new HostWatch(options);
  return repeat({
    what: 'watching media hosts',
    pauseMs: everyMs,
    work: () => watch.look(),
    log: options.log,
  });
}
