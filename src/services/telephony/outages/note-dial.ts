import { LessThanOrEqual, type DataSource } from 'typeorm';
import { changeRows, deleteRows } from '../../../db/rows.ts';
import { carrierOutages } from '../../../db/tables/carrier-outages.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { translateUnavailable } from '../../../db/unavailable.ts';
import { nextProbe } from '../../../domain/campaign/carrier-outage.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { ConnectionRef } from './connection-ref.ts';

interface OutageDeps {
  db: DataSource;
  clock: Clock;
}

const sql = `
  INSERT INTO carrier_outages (configuration_id, organization_id, faults, since, last_fault_at, probes, probe_at, answered_at) VALUES (?, ?, 1, ?, ?, 0, ?, NULL)
  ON DUPLICATE KEY UPDATE faults = faults + 1, last_fault_at = ?, probe_at = GREATEST(probe_at, ?)`;

/**
 * Records that the carrier failed to take a dial: it gave no answer or a server error. Campaigns pause
 * dialing if the faults continue.
 */
export async function noteDialFault(
  { db, clock }: OutageDeps,
  { configurationId, organizationId }: ConnectionRef,
): Promise<void> {
  const now = clock.now();
  const probeAt = nextProbe(0, now);
  await inTransaction(db, (tx) =>
    changeRows(tx, {
      organizationId,
      sql,
      values: [configurationId, organizationId, now, now, probeAt, now, probeAt],
    }),
  );
}

/**
 * Records that the carrier took a dial or refused it for a reason, which ends an outage. An answer from before
 * the last fault says nothing about the carrier now: it is only recorded late.
 */
export async function noteDialAnswered(
  { db }: Pick<OutageDeps, 'db'>,
  { configurationId, organizationId }: ConnectionRef,
  answeredAt: Date,
): Promise<void> {
  await deleteRows(db, carrierOutages, {
    configurationId,
    organizationId,
    lastFaultAt: LessThanOrEqual(answeredAt),
  }).catch((error: unknown) => {
    throw translateUnavailable(error);
  });
}
