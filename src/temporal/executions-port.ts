/**
 * `stopped`: an operator ended it. `broken`: it ended for another reason. `absent`: Temporal does not know
 * it.
 */
export type ExecutionState = 'running' | 'stopped' | 'broken' | 'absent';

/**
 * States of the Workflows that rows refer to. Throws UnavailableError('temporal') when Temporal cannot be
 * reached.
 */
export interface Executions {
  callState(callUuid: string): Promise<ExecutionState>;
  deliveryState(deliveryUuid: string): Promise<ExecutionState>;
  campaignState(campaignUuid: string): Promise<ExecutionState>;
  importState(directoryUuid: string, importNumber: number): Promise<ExecutionState>;
}
