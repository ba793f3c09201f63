import type { EraseCallInput } from '../workflows/erasure/workflow.ts';

/** Erases calls in the background. */
export interface ErasureStarter {
  /**
   * Starts the erasure of a call, or finds the running one. Throws UnavailableError('temporal') when Temporal
   * cannot be reached.
   */
  start: (input: EraseCallInput) => Promise<void>;
}
