import { Initial1763700000000 } from './migrations/1763700000000-initial.ts';
import { Tools1763714400000 } from './migrations/1763714400000-tools.ts';

/** Every migration, oldest first. */
export const migrations = [Initial1763700000000, Tools1763714400000] as const;
