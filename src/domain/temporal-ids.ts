/**
 * Workflow Ids, made only here and only from our own random ids: nothing about a person may be in one
 * (Temporal stores them in clear).
 */

/** Workflow Id of a call. */
export function callWorkflowId(callUuid: string): string {
  return `call/${callUuid}`;
}

/** Workflow Id of what paces a campaign. */
export function campaignWorkflowId(campaignUuid: string): string {
  return `campaign/${campaignUuid}`;
}

/** Workflow Id of what wakes the waiting deliveries of one endpoint. */
export function backlogWorkflowId(endpointKey: string): string {
  return `backlog/${endpointKey}`;
}

/** Workflow Id of a drain: many deliveries that are sent again. */
export function drainWorkflowId(drainUuid: string): string {
  return `drain/${drainUuid}`;
}

/** Workflow Id of one webhook delivery. */
export function deliveryWorkflowId(deliveryUuid: string): string {
  return `delivery/${deliveryUuid}`;
}

/** Workflow Id of one import of a contact file. */
export function importWorkflowId(directoryUuid: string, importNumber: number): string {
  return `import/${directoryUuid}/${importNumber}`;
}
