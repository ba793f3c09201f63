export type { PaceDeps } from './deps.ts';
export { pace, type Paced, type PaceInput } from './pace.ts';
