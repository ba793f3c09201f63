import type { DataSource } from 'typeorm';
import { updateRows } from '../../../db/rows.ts';
import { carrierOutages } from '../../../db/tables/carrier-outages.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { AppError } from '../../../domain/errors.ts';
import { CarrierError } from '../../../domain/telephony/carrier-error.ts';
import type { Carriers } from '../../../providers/carrier/port.ts';
import type { SecretBox } from '../../../providers/secrets/port.ts';
import type { Clock } from '../../../runtime/clock.ts';
import { openAccount } from '../accounts/open-account.ts';
import type { ConnectionRef } from './connection-ref.ts';
import { findOutage, noteProbe } from './read.ts';

interface AskDeps {
  db: DataSource;
  clock: Clock;
  secrets: SecretBox;
  accounts: Carriers;
}

/**
 * Probes a carrier that failed to take dials, without dialing, and stores the result. Answers the time until
 * which the carrier gets no dials: now, if it answers again.
 */
export async function askCarrier(deps: AskDeps, ref: ConnectionRef): Promise<Date> {
  const doesAnswer = await answers(deps, ref);
  const now = deps.clock.now();
  return await inTransaction(deps.db, async (tx) => {
    const outage = await findOutage(tx, ref);
    if (outage === null) return now;
    if (!doesAnswer) return await noteProbe(tx, outage, now);
    await updateRows(tx, carrierOutages, { where: { ...ref }, change: { answeredAt: now, probeAt: now } });
    return now;
  });
}

/** A carrier that refuses the key answers, too: the next dial reports that error. */
async function answers(deps: AskDeps, ref: ConnectionRef): Promise<boolean> {
  try {
    const { carrier } = await openAccount(deps, ref);
    await carrier.checkCredentials();
    return true;
  } catch (error) {
    if (error instanceof CarrierError) return error.outcome !== 'unknown';
    // A connection that has lost its credentials meanwhile does not mean that the carrier is down.
    if (error instanceof AppError && error.code === 'precondition') return true;
    throw error;
  }
}
