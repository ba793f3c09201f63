import { In, type DataSource } from 'typeorm';
import { findRows } from '../../../db/rows.ts';
import { organizations } from '../../../db/tables/organizations.ts';
import { translateUnavailable } from '../../../db/unavailable.ts';
import type { ExecutionState } from '../../../temporal/executions-port.ts';
import type { ServiceContext } from '../../kernel/index.ts';

/** Rows of one page; Temporal is asked about each. */
export const pageSize = 100;

/** Row id to go on after; null when the page was the last one. */
export function nextAfterId(page: readonly { id: number }[]): number | null {
  return page.length < pageSize ? null : (page.at(-1)?.id ?? null);
}

/**
 * The rows of a page whose Workflow does not run, each with what Temporal says of it. Stops when `signal`
 * does.
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

/** Who acts in the audit of what reconciliation changes. */
export function reconcilerOf(
  { db, clock, ids, log, secrets }: Omit<ServiceContext, 'organizationId' | 'actor'>,
  organizationId: number,
): ServiceContext {
  return { db, clock, ids, log, secrets, organizationId, actor: { kind: 'system', name: 'reconciler' } };
}

export function rethrow(error: unknown): never {
  throw translateUnavailable(error);
}
