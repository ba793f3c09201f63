import { In, type EntityManager } from 'typeorm';
import { acrossOrganizations, findRows, updateRows, upsertRows } from '../../../db/rows.ts';
import { deliveries, type DeliveryRow } from '../../../db/tables/deliveries.ts';
import { deliveryAttempts } from '../../../db/tables/delivery-attempts.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { delayBeforeAttempt } from '../../../domain/delivery/schedule.ts';
import { backlogWithin } from '../deliveries/backlog.ts';
import { endpointKeyOf } from '../deliveries/endpoint.ts';
import { mirrorOnCalls } from '../deliveries/internal.ts';
import { stateAfter, switchEndpointOff, type Recorded } from '../deliveries/record-outcome.ts';
import type { PumpDeps } from './deps.ts';

/** What became of a leased delivery. */
export type Outcome = { delivery: DeliveryRow } & (
  | { kind: 'attempted'; at: Date; recorded: Recorded }
  /** Given back, for any pump to lease again after `delayMs`. */
  | { kind: 'left'; delayMs: number }
  /** Nothing is left to do for the pump. */
  | { kind: 'done' }
);

/**
 * Records outcomes of first attempts in one transaction: attempts, deliveries and the runs' logs. A delivered
 * message stays delivered, and a pump whose delivery went on without it records nothing but a success. Answers the
 * deliveries for which something follows: a Workflow that goes on with the schedule, or the backlog of their
 * endpoint. The pump holds them until that is done. Throws UnavailableError.
 */
export async function recordOutcomes(
  deps: PumpDeps,
  { pumpId, outcomes }: { pumpId: string; outcomes: readonly Outcome[] },
): Promise<DeliveryRow[]> {
  const outcomeOf = new Map(outcomes.map((outcome) => [outcome.delivery.id, outcome]));
  return await inTransaction(deps.db, async (tx) => {
    const every = acrossOrganizations(tx, 'the pump records deliveries of every organization at once');
    const rows = await findRows(
      every,
      deliveries,
      { id: In([...outcomeOf.keys()]) },
      { order: { id: 'ASC' }, isLocked: true },
    );
    const now = deps.clock.now();
    const attempts: AttemptEnd[] = [];
    const changes: { row: DeliveryRow; change: Partial<DeliveryRow> }[] = [];
    for (const row of rows) {
      const outcome = outcomeOf.get(row.id);
      const isHeld = row.pumpedBy === pumpId;
      if (outcome === undefined) continue;
      if (outcome.kind !== 'attempted') {
        if (isHeld) changes.push({ row, change: releaseOf(outcome, now) });
        continue;
      }
      const { judgment } = outcome.recorded;
      const isLost = !isHeld && (row.state === 'pending' || row.attemptCount > 1);
      if (row.state === 'succeeded' || (isLost && judgment.kind !== 'succeeded')) continue;
      attempts.push(outcome);
      changes.push({ row, change: attemptedChange({ row, recorded: outcome.recorded, now }) });
      if (judgment.kind === 'dead' && judgment.endpointOff)
        await switchEndpointOff(tx, { deps, delivery: row, at: now });
    }
    const following = await followingOf(tx, changes);
    const held = new Set(following.map(({ id }) => id));
    await recordAttempts(tx, { attempts, rows });
    await writeChanges(
      tx,
      changes.map(({ row, change }) => ({
        id: row.id,
        change: held.has(row.id) ? withoutRelease(change) : change,
      })),
    );
    await mirrorOnCalls(
      tx,
      attempts.map(({ delivery }) => delivery),
    );
    return following;
  });
}

type AttemptEnd = Extract<Outcome, { kind: 'attempted' }>;

const released = { pumpAt: null, pumpedBy: null };

function releaseOf(outcome: Extract<Outcome, { kind: 'left' | 'done' }>, now: Date): Partial<DeliveryRow> {
  return outcome.kind === 'done'
    ? released
    : { pumpAt: new Date(now.getTime() + outcome.delayMs), pumpedBy: null };
}

function attemptedChange({
  row,
  recorded: { judgment, statusCode },
  now,
}: {
  row: DeliveryRow;
  recorded: Recorded;
  now: Date;
}): Partial<DeliveryRow> {
  const state = stateAfter(row, judgment);
  const retryAfterMs = judgment.kind === 'retry' ? judgment.retryAfterMs : null;
  const delayMs = delayBeforeAttempt({ index: 1, retryAfterMs, random: Math.random() });
  return {
    state,
    lastStatusCode: statusCode,
    lastError: judgment.kind === 'succeeded' ? null : judgment.reason,
    finishedAt: state === 'pending' ? null : now,
    // guarantee: first-wait-shows-next-attempt
    nextAttemptAt: state === 'pending' ? new Date(now.getTime() + delayMs) : null,
    ...released,
  };
}

function withoutRelease({ pumpAt: _, pumpedBy: __, ...change }: Partial<DeliveryRow>): Partial<DeliveryRow> {
  return change;
}

/** The deliveries of these changes for which something follows, as they will be. */
async function followingOf(
  tx: EntityManager,
  changes: readonly { row: DeliveryRow; change: Partial<DeliveryRow> }[],
): Promise<DeliveryRow[]> {
  const following: DeliveryRow[] = [];
  const seen = new Set<string>();
  for (const { row, change } of changes) {
    if (change.state === 'pending') following.push({ ...row, ...change, ...leaseOf(row) });
    if (change.state !== 'succeeded') continue;
    const key = endpointKeyOf(row);
    if (seen.has(key)) continue;
    seen.add(key);
    if ((await backlogWithin(tx, row)) !== null) following.push({ ...row, ...change, ...leaseOf(row) });
  }
  return following;
}

const leaseOf = ({ pumpAt, pumpedBy }: DeliveryRow) => ({ pumpAt, pumpedBy });

async function recordAttempts(
  tx: EntityManager,
  { attempts, rows }: { attempts: readonly AttemptEnd[]; rows: readonly DeliveryRow[] },
): Promise<void> {
  const erased = new Set(rows.flatMap(({ id, erasedAt }) => (erasedAt === null ? [] : [id])));
  await upsertRows(
    tx,
    deliveryAttempts,
    attempts.map(({ delivery: { id: deliveryId, organizationId }, at, recorded }) => ({
      organizationId,
      deliveryId,
      number: 1,
      state: recorded.judgment.kind === 'succeeded' ? ('succeeded' as const) : ('failed' as const),
      startedAt: at,
      durationMs: recorded.durationMs,
      statusCode: recorded.statusCode,
      error: recorded.judgment.kind === 'succeeded' ? null : recorded.judgment.reason,
      // A delivery that was erased during this attempt keeps no part of the answer, either.
      responseExcerpt: erased.has(deliveryId) ? null : recorded.responseExcerpt,
    })),
    ['state', 'durationMs', 'statusCode', 'error', 'responseExcerpt'],
  );
}

/** Most deliveries end alike: one statement for each kind of change. */
async function writeChanges(
  tx: EntityManager,
  changes: readonly { id: number; change: Partial<DeliveryRow> }[],
): Promise<void> {
  const every = acrossOrganizations(tx, 'the pump records deliveries of every organization at once');
  for (const alike of Map.groupBy(changes, ({ change }) => JSON.stringify(change)).values()) {
    const [first] = alike;
    if (first !== undefined)
      await updateRows(every, deliveries, {
        where: { id: In(alike.map(({ id }) => id)) },
        change: first.change,
      });
  }
}
