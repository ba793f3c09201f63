/**
 * Starts a child Workflow. False when its id is taken by a running Workflow or, with `REJECT_DUPLICATE`, by
 * one that has ended.
 */
export async function startOnce(start: () => Promise<unknown>): Promise<boolean> {
  try {
    await start();
    return true;
  } catch (error) {
    // Compared by name, because the SDK does not export the class to Workflows.
    if (error instanceof Error && error.name === 'WorkflowExecutionAlreadyStartedError') return false;
    throw error;
  }
}
