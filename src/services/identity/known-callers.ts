import type { Clock } from '../../runtime/clock.ts';
import { Recent } from '../../runtime/recent.ts';
import { hashKey } from './api-keys/hash.ts';

/** How long a caller counts as checked. A key or session that is revoked in another process ends this late. */
const knownForMs = 1000;

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
  const known = new Recent<Caller>(clock, { forMs: knownForMs });
  return {
    find: async (credential, check) => await known.find(hashKey(credential), check),
    forget: () => known.forget(),
  };
}
