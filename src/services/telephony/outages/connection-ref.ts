/** A connection of an organization to its carrier. */
export interface ConnectionRef {
  configurationId: number;
  organizationId: number;
}
