import { EntitySchema } from 'typeorm';
import { integer, timestamp, nullable, primaryReference, reference } from './columns.ts';

/** A connection whose carrier failed to accept the latest dials. The row is deleted when it accepts one. */
export interface CarrierOutageRow {
  configurationId: number;
  organizationId: number;
  /** Consecutive dials that the carrier failed to accept. */
  faults: number;
  since: Date;
  lastFaultAt: Date;
  /** Number of failed checks and trial dials; the interval between them grows. */
  probes: number;
  /** Not checked again before this time. */
  probeAt: Date;
  /**
   * When the carrier last answered a request that rings no phone; null if it has not since the outage began.
   */
  answeredAt: Date | null;
}

export const carrierOutages = new EntitySchema<CarrierOutageRow>({
  name: 'carrier_outages',
  columns: {
    configurationId: primaryReference('configuration_id', 'carrier_outages'),
    organizationId: reference('organization_id'),
    faults: integer('faults'),
    since: timestamp('since'),
    lastFaultAt: timestamp('last_fault_at'),
    probes: integer('probes'),
    probeAt: timestamp('probe_at'),
    answeredAt: nullable(timestamp('answered_at')),
  },
  foreignKeys: [
    {
      name: 'fk_carrier_outages_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
  ],
});
