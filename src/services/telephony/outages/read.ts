import type { EntityManager } from 'typeorm';
import { findRow, updateRows } from '../../../db/rows.ts';
import { carrierOutages, type CarrierOutageRow } from '../../../db/tables/carrier-outages.ts';
import { nextProbe } from '../../../domain/campaign/carrier-outage.ts';
import type { ConnectionRef } from './connection-ref.ts';

/** The outage of the connection's carrier; null if it takes dials. */
export async function findOutage(
  manager: EntityManager,
  { configurationId, organizationId }: ConnectionRef,
): Promise<CarrierOutageRow | null> {
  return await findRow(manager, carrierOutages, { configurationId, organizationId });
}

/** Records a trial dial or a failed probe, and answers when the next probe may run. */
export async function noteProbe(
  tx: EntityManager,
  { configurationId, organizationId, probes }: CarrierOutageRow,
  now: Date,
): Promise<Date> {
  const probeAt = nextProbe(probes + 1, now);
  await updateRows(tx, carrierOutages, {
    where: { configurationId, organizationId },
    change: { probes: probes + 1, probeAt },
  });
  return probeAt;
}
