import type { DataSource } from 'typeorm';
import { timeoutsMs } from '../../domain/declaration.ts';
import type { Logger } from '../../runtime/logger.ts';
import { repeat } from '../../runtime/repeat.ts';
import { findLostHosts, type TellSeatLost } from './find-lost-hosts.ts';

const everyMs = 300;
/**
 * No host can renew its lease while MySQL is down, so hosts are declared lost only after this time of
 * contact.
 */
const settledMs = timeoutsMs.mediaLease + timeoutsMs.mediaLeaseRenewal;

export interface WatchMediaHostsOptions {
  db: DataSource;
  tell: TellSeatLost;
  log: Logger;
}

/** Looks for lost media hosts and informs their calls. Each worker process runs it. */
export function watchMediaHosts({ db, tell, log }: WatchMediaHostsOptions): { stop: () => Promise<void> } {
  let reachedSinceMs: number | null = null;

  async function look(): Promise<void> {
    if (reachedSinceMs === null || performance.now() - reachedSinceMs < settledMs) {
      await db.query('SELECT 1');
      reachedSinceMs ??= performance.now();
      return;
    }
    const hosts = await findLostHosts({ db, tell });
    if (hosts > 0) log.warn({ hosts }, 'Media hosts were lost; their calls move to other hosts');
  }

  const work = () =>
    look().catch((error: unknown) => {
      reachedSinceMs = null;
      throw error;
    });
  return repeat({ what: 'watching media hosts', pauseMs: everyMs, work, log });
}
