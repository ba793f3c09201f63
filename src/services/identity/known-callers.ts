import type { Clock } from '../../runtime/clock.ts';
import { hashKey } from './api-keys/hash.ts';

/** How long a caller counts as checked. A key or session that is revoked in another process ends this late. */
const knownForMs = 1000;

/** Maximum number of callers kept. */
const maxKnown = 10_000;

/** Remembers for a second whose credentials were checked, so that most requests do not ask the database. */
export interface KnownCallers<Caller> {
  /** The caller of the credential, named with its kind, as found in the last second, or by `check`. An unknown one is not kept. */
  find: <Found extends Caller | null>(
    credential: string,
    check: () => Promise<Found>,
  ) => Promise<Caller | Found>;
  /** Forgets all callers, because this process has changed what somebody may do. */
  forget: () => void;
}

export function createKnownCallers<Caller>(clock: Clock): KnownCallers<Caller> {
  const known = new Map<string, { caller: Caller; checkedAtMs: number }>();
  return {
    async find(credential, check) {
      const [hash, nowMs] = [hashKey(credential), clock.now().getTime()];
      const found = known.get(hash);
      // guarantee: revocation-acts-within-a-second
      if (found !== undefined && Math.abs(nowMs - found.checkedAtMs) < knownForMs) return found.caller;
      const caller = await check();
      if (known.size >= maxKnown) known.clear();
      if (caller === null) known.delete(hash);
      else known.set(hash, { caller, checkedAtMs: nowMs });
      return caller;
    },
    forget: () => known.clear(),
  };
}
