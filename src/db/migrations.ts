import { Initial1763700000000 } from './migrations/0.1.0-initial.ts';

/** Every migration, oldest first. */
export const migrations = [Initial1763700000000] as const;
