import { IsNull, MoreThanOrEqual } from 'typeorm';
import type { WebhookEndpoint } from '../../../contract/webhook-endpoints.ts';
import { countRows, getRow, queryRows } from '../../../db/rows.ts';
import { deliveries } from '../../../db/tables/deliveries.ts';
import type { WebhookEndpointSwitchRow } from '../../../db/tables/webhook-endpoint-switches.ts';
import type { EndpointState } from '../../../domain/delivery/endpoint-health.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { endpointKeyOf } from '../deliveries/endpoint.ts';
import { knownEndpoints, type KnownEndpoint } from './known.ts';
import { toWebhookEndpoint, type Backlog } from './mapper.ts';

/** The organization's endpoints with their health (contract 9.4), of one state or of all. */
export async function listEndpoints({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: { state: EndpointState | null };
}): Promise<WebhookEndpoint[]> {
  const endpoints = await knownEndpoints(ctx);
  const pending = await backlogs(ctx);
  const listed: WebhookEndpoint[] = [];
  for (const endpoint of endpoints) listed.push(await described(ctx, endpoint, pending));
  return listed.filter(({ state }) => input.state === null || state === input.state);
}

async function described(
  ctx: ServiceContext,
  endpoint: KnownEndpoint,
  pending: ReadonlyMap<string, Backlog>,
): Promise<WebhookEndpoint> {
  const { off } = endpoint;
  const { waiting, nextAttemptAt } = pending.get(endpoint.key) ?? { waiting: 0, nextAttemptAt: null };
  if (off === null) return toWebhookEndpoint(endpoint, { waiting, nextAttemptAt, offBy: null });
  const { organizationId } = ctx;
  const { uuid: offBy } = await getRow(
    ctx.db,
    deliveries,
    { id: off.deliveryId, organizationId },
    { select: ['uuid'] },
  );
  const missed = await countMissed(ctx, off);
  return toWebhookEndpoint(endpoint, { waiting: waiting + missed, nextAttemptAt, offBy });
}

interface Pending {
  agent_id: string | number;
  node_id: string;
  url: string;
  count: string;
  next_at: Date | null;
}

/** The deliveries that wait for each endpoint, by its key. */
async function backlogs({ db, organizationId }: ServiceContext): Promise<Map<string, Backlog>> {
  const rows = await queryRows<Pending>(db, {
    organizationId,
    sql: "SELECT agent_id, node_id, url, COUNT(*) AS count, MIN(next_attempt_at) AS next_at FROM deliveries FORCE INDEX (ix_deliveries_state) WHERE organization_id = ? AND state = 'pending' GROUP BY agent_id, node_id, url",
    values: [organizationId],
  });
  return new Map(
    rows.map(({ agent_id: agentId, node_id: nodeId, url, count, next_at: nextAttemptAt }) => [
      endpointKeyOf({ organizationId, agentId: Number(agentId), nodeId, url }),
      { waiting: Number(count), nextAttemptAt },
    ]),
  );
}

/** How many deliveries an endpoint missed while it was off: what turning it on sends. */
async function countMissed(
  { db }: ServiceContext,
  { organizationId, agentId, nodeId, url, switchedOffAt }: WebhookEndpointSwitchRow,
): Promise<number> {
  return await countRows(db, deliveries, {
    organizationId,
    agentId,
    nodeId,
    url,
    state: 'dead_letter',
    finishedAt: MoreThanOrEqual(switchedOffAt),
    erasedAt: IsNull(),
  });
}
