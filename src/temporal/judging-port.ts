import type { JudgeAgainInput } from '../workflows/judging/workflow.ts';

/** Judges calls again, in the background. */
export interface JudgingStarter {
  /**
   * Starts a judgment that was asked for, or finds the running one. Throws UnavailableError('temporal') when
   * Temporal cannot be reached.
   */
  start: (input: JudgeAgainInput) => Promise<void>;
}
