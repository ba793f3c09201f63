import { In, IsNull } from 'typeorm';
import { findRows } from '../../../db/rows.ts';
import { agents } from '../../../db/tables/agents.ts';
import {
  webhookEndpointSwitches,
  type WebhookEndpointSwitchRow,
} from '../../../db/tables/webhook-endpoint-switches.ts';
import type { SendableWebhook } from '../../../domain/graph/model.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { readHistory, type UsedEndpoint } from './history.ts';
import { publishedWebhooks } from './published.ts';

/** A webhook node of an agent and its address. */
export interface KnownEndpoint {
  key: string;
  agentId: number;
  agentName: string;
  nodeId: string;
  /** Null if the published version has no such node. */
  nodeName: string | null;
  url: string;
  /** The node of the published version that sends to it; null if none does. */
  node: SendableWebhook | null;
  /** Null if it got nothing in the last 30 days. */
  used: UsedEndpoint | null;
  /** Null if it is on. */
  off: WebhookEndpointSwitchRow | null;
}

/**
 * The organization's endpoints: of published versions, of deliveries of the last 30 days, and those that are
 * off. Newest agent first, in graph order.
 */
export async function knownEndpoints(ctx: ServiceContext): Promise<KnownEndpoint[]> {
  const { db, organizationId } = ctx;
  const published = await publishedWebhooks(ctx);
  const history = await readHistory(ctx);
  const switches = new Map(
    (await findRows(db, webhookEndpointSwitches, { organizationId, turnedOnAt: IsNull() })).map((row) => [
      row.endpointKey,
      row,
    ]),
  );
  const sent = published.flatMap(({ agentId, agentName, webhooks }) =>
    webhooks.map(({ key, node }) => ({
      key,
      agentId,
      agentName,
      nodeId: node.id,
      nodeName: node.name,
      url: node.url,
      node,
    })),
  );
  const known = new Set(sent.map(({ key }) => key));
  const others = new Map<string, Pick<KnownEndpoint, 'agentId' | 'nodeId' | 'url'>>(
    [...history, ...switches].filter(([key]) => !known.has(key)),
  );
  const names = new Map(published.map((agent) => [agent.agentId, agent]));
  const agentNames = await namesOf(ctx, [...others.values()]);
  const former = [...others].map(([key, { agentId, nodeId, url }]) => ({
    key,
    agentId,
    agentName: agentNames.get(agentId) ?? '',
    nodeId,
    nodeName: names.get(agentId)?.nodeNames.get(nodeId) ?? null,
    url,
    node: null,
  }));
  return [...sent, ...former]
    .toSorted((one, other) => other.agentId - one.agentId)
    .map((endpoint) => ({
      ...endpoint,
      used: history.get(endpoint.key) ?? null,
      off: switches.get(endpoint.key) ?? null,
    }));
}

async function namesOf(
  { db, organizationId }: ServiceContext,
  of: readonly { agentId: number }[],
): Promise<Map<number, string>> {
  if (of.length === 0) return new Map();
  const id = In([...new Set(of.map(({ agentId }) => agentId))]);
  const rows = await findRows(db, agents, { organizationId, id }, { select: ['id', 'name'] });
  return new Map(rows.map((row) => [row.id, row.name]));
}
