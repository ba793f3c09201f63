/**
 * Histories that Temporal stores. Throws UnavailableError('temporal') when Temporal cannot be reached or
 * takes too long.
 */
export interface Histories {
  /**
   * Deletes every Run of the Workflow Id with all its payloads; this terminates a running one. Resolves once
   * Temporal has no Run left. If it is interrupted, a repeated call deletes the rest.
   */
  forget(workflowId: string): Promise<Forgotten>;
}

export interface Forgotten {
  /** Number of deleted Runs. */
  runs: number;
  /** Whether the last Run was still running. */
  wasRunning: boolean;
}
