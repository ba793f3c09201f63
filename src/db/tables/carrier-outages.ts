import { EntitySchema } from 'typeorm';
import { integer, timestamp, nullable, primaryReference, reference } from '../columns.ts';

/**
 * A connection whose carrier did not take the latest dials: it was away, or failed. The row is gone when it
 * takes one.
 */
export interface CarrierOutageRow {
  configurationId: number;
  organizationId: number;
  /** Dials in a row that it failed to take. */
  faults: number;
  since: Date;
  lastFaultAt: Date;
  /** Looks at it that failed, or dials on trial that were made: they come ever more rarely. */
  probes: number;
  /** Not looked at again before. */
  probeAt: Date;
  /** When it last answered a question that rings nobody; null = it has not since the outage began. */
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
