import { queryRows } from '../../../db/rows.ts';
import type { DeliveryState } from '../../../db/tables/deliveries.ts';
import type { AttemptState } from '../../../db/tables/delivery-attempts.ts';
import type { EndpointAttempt } from '../../../domain/delivery/endpoint-health.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { endpointKeyOf } from '../deliveries/endpoint.ts';

/** An address that got deliveries in the last 30 days. */
export interface UsedEndpoint {
  key: string;
  agentId: number;
  nodeId: string;
  url: string;
  /** Row id of its newest delivery. */
  deliveryId: number;
  /** At most 100 finished attempts, oldest first. */
  attempts: EndpointAttempt[];
}

const days = 30;
/** Newest deliveries of each node and state whose attempts are read, so that a long history costs nothing. */
const readDeliveries = 100;
const shownAttempts = 100;
/** Nodes and states for each statement, to bound its length. */
const partsAtOnce = 60;
const states: readonly DeliveryState[] = ['pending', 'succeeded', 'dead_letter'];

interface Part {
  agent_id: string | number;
  node_id: string;
  state: DeliveryState;
}

interface Found extends Part {
  id: string | number;
  url: string;
  attempt_id: string | number | null;
  attempt_state: Exclude<AttemptState, 'started'> | null;
  started_at: Date | null;
  duration_ms: number | null;
  status_code: number | null;
}

/** The endpoints that got deliveries in the last 30 days, by key. */
export async function readHistory(ctx: ServiceContext): Promise<Map<string, UsedEndpoint>> {
  const { db, organizationId } = ctx;
  const firstId = await firstDeliveryOf(ctx);
  if (firstId === null) return new Map();
  const parts = await queryRows<Part>(db, {
    organizationId,
    sql: 'SELECT DISTINCT agent_id, node_id, state FROM deliveries WHERE organization_id = ?',
    values: [organizationId],
  });
  const found: Found[] = [];
  for (let start = 0; start < parts.length; start += partsAtOnce)
    found.push(...(await readParts(ctx, parts.slice(start, start + partsAtOnce), firstId)));
  return byEndpoint(organizationId, found);
}

/** Row id of the first delivery of the last 30 days; null if there is none. */
async function firstDeliveryOf({ db, organizationId, clock }: ServiceContext): Promise<number | null> {
  const since = new Date(clock.now().getTime() - days * 24 * 3600 * 1000);
  const first =
    '(SELECT id FROM deliveries WHERE organization_id = ? AND state = ? AND created_at >= ? ORDER BY created_at LIMIT 1)';
  const rows = await queryRows<{ id: string | number }>(db, {
    organizationId,
    sql: states.map(() => first).join(' UNION ALL '),
    values: states.flatMap((state) => [organizationId, state, since]),
  });
  return rows.length === 0 ? null : Math.min(...rows.map(({ id }) => Number(id)));
}

async function readParts(
  { db, organizationId }: ServiceContext,
  parts: readonly Part[],
  firstId: number,
): Promise<Found[]> {
  // Without the hint MySQL may read every delivery of the organization backwards.
  const newest = `(SELECT id, agent_id, node_id, state, url FROM deliveries FORCE INDEX (ix_deliveries_endpoint) WHERE organization_id = ? AND agent_id = ? AND node_id = ? AND state = ? AND id >= ? ORDER BY id DESC LIMIT ${readDeliveries})`;
  return await queryRows<Found>(db, {
    organizationId,
    sql: `SELECT newest.*, attempts.id AS attempt_id, attempts.state AS attempt_state, attempts.started_at, attempts.duration_ms, attempts.status_code FROM (${parts.map(() => newest).join(' UNION ALL ')}) AS newest LEFT JOIN delivery_attempts AS attempts ON attempts.delivery_id = newest.id AND attempts.organization_id = ? AND attempts.state <> 'started'`,
    values: [
      ...parts.flatMap(({ agent_id: agentId, node_id: nodeId, state }) => [
        organizationId,
        agentId,
        nodeId,
        state,
        firstId,
      ]),
      organizationId,
    ],
  });
}

function byEndpoint(organizationId: number, found: readonly Found[]): Map<string, UsedEndpoint> {
  const endpoints = new Map<string, UsedEndpoint>();
  const inOrder = found.toSorted(
    (one, other) =>
      Number(one.started_at ?? 0) - Number(other.started_at ?? 0) ||
      Number(one.attempt_id) - Number(other.attempt_id),
  );
  for (const row of inOrder) {
    const place = { organizationId, agentId: Number(row.agent_id), nodeId: row.node_id, url: row.url };
    const key = endpointKeyOf(place);
    const endpoint = endpoints.get(key) ?? { ...place, key, deliveryId: 0, attempts: [] };
    endpoints.set(key, endpoint);
    endpoint.deliveryId = Math.max(endpoint.deliveryId, Number(row.id));
    const attempt = attemptOf(row);
    if (attempt !== null) endpoint.attempts.push(attempt);
  }
  for (const endpoint of endpoints.values()) endpoint.attempts = endpoint.attempts.slice(-shownAttempts);
  return endpoints;
}

function attemptOf({
  state,
  attempt_state: attemptState,
  started_at: at,
  duration_ms: durationMs,
  status_code: statusCode,
}: Found): EndpointAttempt | null {
  if (attemptState === null || at === null) return null;
  return {
    at,
    result: attemptState === 'succeeded' ? 'ok' : state === 'succeeded' ? 'retried' : 'failed',
    answeredAfterMs: statusCode === null ? null : durationMs,
  };
}
