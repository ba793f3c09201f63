/** A call inside its organization. */
export interface CallRef {
  callId: number;
  organizationId: number;
}
