/**
 * Workflow Ids, built only here and only from our own random ids: they must not contain personal data,
 * because Temporal stores them in clear.
 */

/** Workflow Id of a call. */
export function callWorkflowId(callUuid: string): string {
  return `call/${callUuid}`;
}

/** Workflow Id of a campaign's pacer. */
export function campaignWorkflowId(campaignUuid: string): string {
  return `campaign/${campaignUuid}`;
}

/** Workflow Id of the sending of one endpoint's backlog. */
export function backlogWorkflowId(endpointKey: string): string {
  return `backlog/${endpointKey}`;
}

/** Workflow Id of a drain, which sends many deliveries again. */
export function drainWorkflowId(drainUuid: string): string {
  return `drain/${drainUuid}`;
}

/** Workflow Id of one webhook delivery. */
export function deliveryWorkflowId(deliveryUuid: string): string {
  return `delivery/${deliveryUuid}`;
}

/** Workflow Id of the erasure of one call. */
export function eraseCallWorkflowId(callUuid: string): string {
  return `erase-call-${callUuid}`;
}

/** Workflow Id of one judgment of an ended call after its own. */
export function judgeAgainWorkflowId(callUuid: string, judgmentNumber: number): string {
  return `judge-call-${callUuid}-${judgmentNumber}`;
}

/** Workflow Id of one import of a contact file. */
export function importWorkflowId(directoryUuid: string, importNumber: number): string {
  return `import/${directoryUuid}/${importNumber}`;
}
