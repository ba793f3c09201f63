import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';

/** Whether a start was refused because the Workflow Id is in use. */
export function isAlreadyStarted(error: unknown): boolean {
  return error instanceof WorkflowExecutionAlreadyStartedError;
}

/** Runs a start; false when the Workflow Id is in use. */
export async function startOnce(start: () => Promise<unknown>): Promise<boolean> {
  try {
    await start();
    return true;
  } catch (error) {
    if (isAlreadyStarted(error)) return false;
    throw error;
  }
}
