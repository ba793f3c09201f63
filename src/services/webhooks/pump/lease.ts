import { In } from 'typeorm';
import { acrossOrganizations, findRows, selectFrom, updateRows, upsertRows } from '../../../db/rows.ts';
import { deliveries, type DeliveryRow } from '../../../db/tables/deliveries.ts';
import { deliveryAttempts } from '../../../db/tables/delivery-attempts.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { mirrorOnCalls } from '../deliveries/internal.ts';
import type { PumpDeps } from './deps.ts';

/** A webhook node of an agent: the unit of fairness. Almost always one endpoint. */
export const nodeKeyOf = ({ agentId, nodeId }: Pick<DeliveryRow, 'agentId' | 'nodeId'>): string =>
  `${agentId} ${nodeId}`;

/** Deliveries that a pump holds. */
export interface Leased {
  /** Whose first attempt is to be sent now. */
  send: DeliveryRow[];
  /** Whose first attempt is recorded, and what follows from it was not done yet. */
  follow: DeliveryRow[];
  /** Whether there may be more. */
  isFull: boolean;
}

export interface Leasing {
  pumpId: string;
  /** Maximum number of deliveries. */
  limit: number;
  /** Free places of a node. */
  roomOf: (nodeKey: string) => number;
  /** Nodes without a free place. */
  fullNodes: readonly Pick<DeliveryRow, 'agentId' | 'nodeId'>[];
  /** How many follow-ups to lease; others are looked at again after `postponeMs`. */
  followRoom: number;
  postponeMs: number;
  leaseMs: number;
  /** Row ids of what this pump holds already, also if it was too busy to renew the lease in time. */
  held: ReadonlySet<number>;
  /** Takes over deliveries whose lease expired: their pump died. */
  takesOver: boolean;
}

/**
 * Leases the oldest deliveries that wait for a pump, and records their first attempts as `started` before
 * anything is sent. Two pumps never get the same one. An attempt that is left at `started` is made again: its
 * pump died, and the receiver, which may have got it, sees the same id and bytes. Throws UnavailableError.
 */
export async function leaseDeliveries(
  { db, clock }: Pick<PumpDeps, 'db' | 'clock'>,
  { pumpId, limit, roomOf, fullNodes, followRoom, postponeMs, leaseMs, held, takesOver }: Leasing,
): Promise<Leased> {
  return await inTransaction(db, async (tx) => {
    const every = acrossOrganizations(tx, 'the pump sends the webhooks of every organization');
    const startedAt = clock.now();
    const query = selectFrom(every, deliveries, { as: 'delivery' })
      .useIndex('ix_deliveries_pump')
      .where('delivery.pumpAt <= :now', { now: startedAt })
      .orderBy('delivery.pumpAt', 'ASC')
      .addOrderBy('delivery.id', 'ASC')
      .limit(limit)
      // guarantee: delivery-leased-by-one-pump
      .setLock('pessimistic_write')
      .setOnLocked('skip_locked');
    if (!takesOver) query.andWhere('delivery.pumpedBy IS NULL');
    for (const [index, { agentId, nodeId }] of fullNodes.entries())
      query.andWhere(`NOT (delivery.agentId = :agent${index} AND delivery.nodeId = :node${index})`, {
        [`agent${index}`]: agentId,
        [`node${index}`]: nodeId,
      });
    const locked = await query.getMany();
    const found = locked.filter(({ id }) => !held.has(id));
    if (found.length === 0) return { send: [], follow: [], isFull: false };

    const begun = new Map(
      (await firstAttempts(every, found)).map(({ deliveryId, state }) => [deliveryId, state]),
    );
    const taken = new Map<string, number>();
    const kinds = Map.groupBy(found, (row): Kind | 'full' => {
      const kind = kindOf(row, begun.get(row.id));
      if (kind !== 'send') return kind;
      const key = nodeKeyOf(row);
      const count = (taken.get(key) ?? 0) + 1;
      if (count > roomOf(key)) return 'full';
      taken.set(key, count);
      return kind;
    });
    const [send, none] = [kinds.get('send') ?? [], kinds.get('none') ?? []];
    const follow = (kinds.get('follow') ?? []).slice(0, Math.max(0, followRoom));
    const postponed = (kinds.get('follow') ?? []).slice(follow.length);
    const lease = { pumpAt: new Date(startedAt.getTime() + leaseMs), pumpedBy: pumpId };
    if (none.length > 0)
      await updateRows(every, deliveries, { where: idsOf(none), change: { pumpAt: null, pumpedBy: null } });
    if (postponed.length > 0)
      await updateRows(every, deliveries, {
        where: idsOf(postponed),
        change: { pumpAt: new Date(startedAt.getTime() + postponeMs), pumpedBy: null },
      });
    if (follow.length > 0) await updateRows(every, deliveries, { where: idsOf(follow), change: lease });
    if (send.length > 0) {
      await updateRows(every, deliveries, {
        where: idsOf(send),
        change: { ...lease, attemptCount: 1, nextAttemptAt: null },
      });
      await upsertRows(
        tx,
        deliveryAttempts,
        send.map(({ id: deliveryId, organizationId }) => ({
          organizationId,
          deliveryId,
          number: 1,
          state: 'started' as const,
          startedAt,
          durationMs: null,
          statusCode: null,
          error: null,
          responseExcerpt: null,
        })),
        ['startedAt'],
      );
      await mirrorOnCalls(tx, send);
    }
    return {
      send: send.map((row) => ({ ...row, ...lease, attemptCount: 1 })),
      follow: follow.map((row) => ({ ...row, ...lease })),
      isFull: locked.length === limit,
    };
  });
}

/** Extends the leases of a pump, which lives. Throws UnavailableError. */
export async function renewLeases(
  { db, clock }: Pick<PumpDeps, 'db' | 'clock'>,
  { pumpId, ids, leaseMs }: { pumpId: string; ids: readonly number[]; leaseMs: number },
): Promise<void> {
  if (ids.length === 0) return;
  await inTransaction(db, async (tx) => {
    await updateRows(
      acrossOrganizations(tx, 'the pump sends the webhooks of every organization'),
      deliveries,
      {
        where: { id: In([...ids]), pumpedBy: pumpId },
        change: { pumpAt: new Date(clock.now().getTime() + leaseMs) },
      },
    );
  });
}

async function firstAttempts(
  every: ReturnType<typeof acrossOrganizations>,
  found: readonly DeliveryRow[],
): Promise<{ deliveryId: number; state: 'started' | 'succeeded' | 'failed' }[]> {
  const begun = found.filter(({ attemptCount }) => attemptCount > 0);
  if (begun.length === 0) return [];
  const deliveryId = In(begun.map(({ id }) => id));
  return await findRows(
    every,
    deliveryAttempts,
    { deliveryId, number: 1 },
    { select: ['deliveryId', 'state'] },
  );
}

type Kind = 'send' | 'follow' | 'none';

/** `none`: the delivery ended or is a Workflow's. */
function kindOf(
  { state, attemptCount, erasedAt }: DeliveryRow,
  attempt: 'started' | 'succeeded' | 'failed' | undefined,
): Kind {
  if (erasedAt !== null || attemptCount > 1) return 'none';
  if (state === 'succeeded') return 'follow';
  if (state !== 'pending') return 'none';
  // guarantee: interrupted-first-attempt-made-again
  return attempt === undefined || attempt === 'started' ? 'send' : 'follow';
}

const idsOf = (rows: readonly DeliveryRow[]) => ({ id: In(rows.map(({ id }) => id)) });
