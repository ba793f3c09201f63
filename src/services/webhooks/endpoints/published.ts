import { In, IsNull, Not } from 'typeorm';
import { findRows } from '../../../db/rows.ts';
import { agents } from '../../../db/tables/agents.ts';
import { agentVersions } from '../../../db/tables/agent-versions.ts';
import { sendableWebhooks, webhookNodes, type SendableWebhook } from '../../../domain/graph/model.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { endpointKeyOf } from '../deliveries/endpoint.ts';

/** The webhooks of an agent's published version. */
export interface PublishedWebhooks {
  agentId: number;
  agentName: string;
  /** Names of all its webhook nodes, by id. */
  nodeNames: ReadonlyMap<string, string>;
  /** What its calls send, in graph order. */
  webhooks: { key: string; node: SendableWebhook }[];
}

/** Definitions that are read at once, because they may be large. */
const definitionsAtOnce = 100;

/** The webhooks of the organization's active agents, newest agent first. */
export async function publishedWebhooks({
  db,
  organizationId,
}: ServiceContext): Promise<PublishedWebhooks[]> {
  const rows = await findRows(
    db,
    agents,
    { organizationId, state: 'active', publishedVersionId: Not(IsNull()) },
    { select: ['id', 'name', 'publishedVersionId'], order: { id: 'DESC' } },
  );
  const found: PublishedWebhooks[] = [];
  for (let start = 0; start < rows.length; start += definitionsAtOnce) {
    const some = rows.slice(start, start + definitionsAtOnce);
    const ids = some.map(({ publishedVersionId: id }) => id).filter((id) => id !== null);
    const versions = new Map(
      (
        await findRows(db, agentVersions, { organizationId, id: In(ids) }, { select: ['id', 'definition'] })
      ).map(({ id, definition }) => [id, definition]),
    );
    for (const { id: agentId, name: agentName, publishedVersionId } of some) {
      const definition = versions.get(publishedVersionId ?? 0) ?? {};
      found.push({
        agentId,
        agentName,
        nodeNames: new Map(webhookNodes(definition).map(({ id, name }) => [id, name])),
        webhooks: sendableWebhooks(definition).map((node) => ({
          key: endpointKeyOf({ organizationId, agentId, nodeId: node.id, url: node.url }),
          node,
        })),
      });
    }
  }
  return found;
}
