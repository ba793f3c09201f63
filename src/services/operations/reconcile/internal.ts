import { In, type DataSource } from 'typeorm';
import { findRows } from '../../../db/rows.ts';
import { organizations } from '../../../db/tables/organizations.ts';
import { translateUnavailable } from '../../../db/unavailable.ts';
import type { ExecutionState } from '../../../temporal/executions-port.ts';
import type { ServiceContext } from '../../kernel/index.ts';

/** The number of rows on a page; Temporal is asked about each. */
export const pageSize = 100;

/** What a finder has found among the rows of one page. */
export interface Page<Item> {
  items: Item[];
  /** The row id to continue after; null on the last page. */
  nextAfterId: number | null;
}

/** The row id to continue after; null on the last page. */
export function nextAfterId(page: readonly { id: number }[]): number | null {
  return page.length < pageSize ? null : (page.at(-1)?.id ?? null);
}

/**
 * The rows of a page whose Workflow does not run, each with its state at Temporal. Throws the reason of
 * `signal` when it is aborted.
 */
export async function withoutWorkflow<Row>(
  page: readonly Row[],
  { signal, stateOf }: { signal: AbortSignal; stateOf: (row: Row) => Promise<ExecutionState> },
): Promise<{ row: Row; state: ExecutionState }[]> {
  const found: { row: Row; state: ExecutionState }[] = [];
  for (const row of page) {
    signal.throwIfAborted();
    const state = await stateOf(row);
    if (state !== 'running') found.push({ row, state });
  }
  return found;
}

/** The uuids of the rows' organizations. */
export async function ownersOf(
  db: DataSource,
  rows: readonly { organizationId: number }[],
): Promise<(organizationId: number) => string> {
  const owners = await findRows(db, organizations, {
    id: In(rows.map(({ organizationId }) => organizationId)),
  }).catch(rethrow);
  const uuids = new Map(owners.map(({ id, uuid }) => [id, uuid]));
  return (organizationId) => uuids.get(organizationId) ?? '';
}

/** The context whose audit entries name the reconciler as the actor. */
export function reconcilerOf(
  { db, clock, ids, log, secrets }: Omit<ServiceContext, 'organizationId' | 'actor'>,
  organizationId: number,
): ServiceContext {
  return { db, clock, ids, log, secrets, organizationId, actor: { kind: 'system', name: 'reconciler' } };
}

export function rethrow(error: unknown): never {
  throw translateUnavailable(error);
}
