/**
 * What Temporal keeps of executions. Throws UnavailableError('temporal') when Temporal cannot be reached or
 * takes too long.
 */
export interface Histories {
  /**
   * Deletes every run of that Workflow Id with all its payloads; one that runs is ended by it, without being
   * asked. Resolves once Temporal knows none any more. Killed in the middle and repeated, it finds the rest.
   */
  forget(workflowId: string): Promise<Forgotten>;
}

export interface Forgotten {
  /** Runs that were there. */
  runs: number;
  /** The last of them was running. */
  wasRunning: boolean;
}
