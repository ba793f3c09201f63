import type { DataSource, EntityManager } from 'typeorm';
import { insertRow, insertRows } from '../../../db/rows.ts';
import { deliveries, type DeliveryRow } from '../../../db/tables/deliveries.ts';
import { deliveryAttempts } from '../../../db/tables/delivery-attempts.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { Clock } from '../../../runtime/clock.ts';

/** What a pump lets others do with its places. */
export interface HandoverPump {
  pumpId: string;
  leaseMs: number;
  clock: Clock;
  /** Takes a place for a delivery. False when none is free. */
  reserve: (delivery: NewDelivery) => boolean;
  release: (delivery: NewDelivery) => void;
  /** Sends deliveries that have a place. */
  accept: (rows: readonly DeliveryRow[]) => void;
}

type NewDelivery = Omit<DeliveryRow, 'id'>;

/** A delivery before the pump has seen it. */
export type RenderedDelivery = Omit<NewDelivery, 'attemptCount' | 'pumpAt' | 'pumpedBy'>;

/**
 * Deliveries of one transaction that a pump leases as they are inserted, so that nothing has to look for them
 * after the commit.
 */
export class Handover {
  readonly #pump: HandoverPump;
  #reserved: NewDelivery[] = [];
  #rows: DeliveryRow[] = [];
  #begunAt: number;

  constructor(pump: HandoverPump) {
    this.#pump = pump;
    this.#begunAt = pump.clock.now().getTime();
  }

  /** Gives all places back: the transaction has failed, or begins again after a deadlock. */
  reset(): void {
    for (const each of this.#reserved) this.#pump.release(each);
    this.#reserved = [];
    this.#rows = [];
    this.#begunAt = this.#pump.clock.now().getTime();
  }

  /** The delivery as the pump leases it; null when the pump has no place for it. */
  lease(rendered: RenderedDelivery): NewDelivery | null {
    const { pumpId, leaseMs, clock } = this.#pump;
    const pumpAt = new Date(clock.now().getTime() + leaseMs);
    const leased = { ...rendered, attemptCount: 1, pumpAt, pumpedBy: pumpId };
    if (!this.#pump.reserve(leased)) return null;
    this.#reserved.push(leased);
    return leased;
  }

  inserted(row: DeliveryRow): void {
    this.#rows.push(row);
  }

  /** After a commit that took long, the lease may expire before the delivery is sent: any pump takes it then. */
  committed(): void {
    const { clock, leaseMs, accept } = this.#pump;
    // guarantee: late-handover-not-sent
    if (clock.now().getTime() - this.#begunAt > leaseMs / 2) return this.reset();
    accept(this.#rows);
  }
}

/**
 * A transaction that may insert deliveries (`insertDelivery`). Once it is committed, the pump of this process
 * sends those for which it had a place. Throws what `work` throws, and UnavailableError.
 */
export async function committingDeliveries<T>(
  { db, pump }: { db: DataSource; pump?: { handover(): Handover } | undefined },
  work: (tx: EntityManager, handover: Handover | undefined) => Promise<T>,
): Promise<T> {
  const handover = pump?.handover();
  try {
    const result = await inTransaction(db, async (tx) => {
      handover?.reset();
      return await work(tx, handover);
    });
    handover?.committed();
    return result;
  } catch (error) {
    // When the answer to the commit was lost, the deliveries may exist: any pump takes them when their lease expires.
    handover?.reset();
    throw error;
  }
}

/**
 * Inserts a delivery. If the pump has a place for it, its first attempt begins with the insert; otherwise any
 * pump leases it.
 */
export async function insertDelivery(
  tx: EntityManager,
  rendered: RenderedDelivery,
  handover: Handover | undefined,
): Promise<DeliveryRow> {
  const leased = handover?.lease(rendered) ?? null;
  if (leased === null)
    return await insertRow(tx, deliveries, {
      ...rendered,
      attemptCount: 0,
      pumpAt: rendered.createdAt,
      pumpedBy: null,
    });
  const row = await insertRow(tx, deliveries, leased);
  await insertRows(tx, deliveryAttempts, [
    {
      organizationId: row.organizationId,
      deliveryId: row.id,
      number: 1,
      state: 'started',
      startedAt: row.createdAt,
      durationMs: null,
      statusCode: null,
      error: null,
      responseExcerpt: null,
    },
  ]);
  handover?.inserted(row);
  return row;
}
