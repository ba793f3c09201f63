import { createHash } from 'node:crypto';
import { In, type EntityManager } from 'typeorm';
import { countRows, findRow, insertRow, selectFrom, updateRows } from '../../db/rows.ts';
import { agents, type AgentRow } from '../../db/tables/agents.ts';
import { agentVersions, type AgentVersionRow, type VersionState } from '../../db/tables/agent-versions.ts';
import { calls } from '../../db/tables/calls.ts';
import { InvariantError, NotFoundError } from '../../domain/errors.ts';
import type { Definition } from '../../domain/graph/definition.ts';
import { mapSecretsOf, maskSecrets } from '../../domain/graph/secrets.ts';
import { mapSettingsSecrets } from '../../domain/models/settings-secrets.ts';
import { type ServiceContext, definitionPlace, resealerOf, settingsPlace } from '../kernel/index.ts';

/** The content of a version. */
export type VersionContent = Pick<AgentVersionRow, 'definition' | 'settings' | 'testValues'>;

/** The error for an unknown agent or one of another organization, with the message of the contract. */
export function agentNotFound(agentId: number): NotFoundError {
  return new NotFoundError(`Workflow with ID ${agentId} not found`);
}

/**
 * Locks the agent. Every change of its versions holds this lock, so that numbers are consecutive and pointers
 * are consistent.
 */
export async function lockAgent(tx: EntityManager, ctx: ServiceContext, agentId: number): Promise<AgentRow> {
  const agent = await findRow(
    tx,
    agents,
    { id: agentId, organizationId: ctx.organizationId },
    { isLocked: true },
  );
  if (agent === null) throw agentNotFound(agentId);
  return agent;
}

export async function findAgent(
  manager: EntityManager,
  ctx: ServiceContext,
  agentId: number,
): Promise<AgentRow> {
  // guarantee: other-organizations-objects-hidden
  const agent = await findRow(manager, agents, { id: agentId, organizationId: ctx.organizationId });
  if (agent === null) throw agentNotFound(agentId);
  return agent;
}

/**
 * The version that records show and tests run: the draft when there is one, else the published one (contract
 * 4.2).
 */
export async function shownVersion(manager: EntityManager, agent: AgentRow): Promise<AgentVersionRow> {
  return await versionOf(manager, agent, agent.draftVersionId ?? agent.publishedVersionId);
}

export async function versionOf(
  manager: EntityManager,
  agent: AgentRow,
  id: number | null,
): Promise<AgentVersionRow> {
  const version =
    id === null
      ? null
      : await findRow(manager, agentVersions, {
          id,
          agentId: agent.id,
          organizationId: agent.organizationId,
        });
  if (version === null) throw new InvariantError('An agent has neither a draft nor a published version');
  return version;
}

/**
 * Writes the next version and points the (locked) agent at it; a former draft becomes archived and is kept
 * (contract 4.3).
 */
export async function addVersion(
  tx: EntityManager,
  ctx: ServiceContext,
  {
    agent,
    content,
    state,
    note,
  }: {
    agent: AgentRow;
    content: VersionContent;
    state: Exclude<VersionState, 'archived'>;
    note?: string | undefined;
  },
): Promise<AgentVersionRow> {
  const now = ctx.clock.now();
  const { organizationId } = agent;
  if (agent.draftVersionId !== null)
    await updateRows(tx, agentVersions, {
      where: { id: agent.draftVersionId, organizationId },
      change: { state: 'archived' },
    });
  const version = await insertRow(tx, agentVersions, {
    organizationId,
    agentId: agent.id,
    number: agent.lastVersionNumber + 1,
    state,
    ...sealedContent(ctx, content),
    definitionSha256: hashDefinition(content.definition),
    note: note ?? null,
    createdAt: now,
    publishedAt: state === 'published' ? now : null,
  });
  const pointers =
    state === 'published'
      ? { publishedVersionId: version.id, draftVersionId: null }
      : { draftVersionId: version.id };
  await changeAgent(tx, ctx, agent, { lastVersionNumber: version.number, ...pointers });
  return version;
}

/** Seals copied secrets under the first key; secrets from requests are already sealed under it. */
function sealedContent(
  { secrets, organizationId }: ServiceContext,
  { definition, settings, testValues }: VersionContent,
): VersionContent {
  return {
    definition: mapSecretsOf(definition, resealerOf(secrets, definitionPlace(organizationId))),
    settings: mapSettingsSecrets(settings, resealerOf(secrets, settingsPlace(organizationId))),
    testValues,
  };
}

/** Changes the row and the object that was read from it. */
export async function changeAgent(
  tx: EntityManager,
  ctx: ServiceContext,
  agent: AgentRow,
  change: Partial<AgentRow>,
): Promise<void> {
  Object.assign(agent, change, { updatedAt: ctx.clock.now() });
  await updateRows(tx, agents, {
    where: { id: agent.id, organizationId: agent.organizationId },
    change: { ...change, updatedAt: agent.updatedAt },
  });
}

/**
 * The hash of the graph with masked secrets, because sealing the same secret gives a different text each
 * time.
 */
export function hashDefinition(definition: Definition): string {
  return createHash('sha256')
    .update(JSON.stringify(maskSecrets(definition)))
    .digest('hex');
}

/** The version with that number. Throws NotFoundError. */
export async function numberedVersion(
  manager: EntityManager,
  { id, organizationId }: AgentRow,
  number: number,
): Promise<AgentVersionRow> {
  const version = await findRow(manager, agentVersions, { agentId: id, organizationId, number });
  if (version === null) throw new NotFoundError(`Version ${number} not found`);
  return version;
}

/** How many calls an agent has had. */
export async function countCallsOf(
  manager: EntityManager,
  { id, organizationId }: AgentRow,
): Promise<number> {
  return await countRows(manager, calls, { organizationId, agentId: id });
}

/** How many calls each agent has had. */
export async function countCalls(
  manager: EntityManager,
  organizationId: number,
  agentIds: readonly number[],
): Promise<Map<number, number>> {
  if (agentIds.length === 0) return new Map();
  const rows: { agent: string; count: string }[] = await selectFrom(manager, calls, {
    as: 'call',
    organizationId,
  })
    .select('call.agentId', 'agent')
    .addSelect('COUNT(*)', 'count')
    .andWhere({ agentId: In([...agentIds]) })
    .groupBy('call.agentId')
    .getRawMany();
  return new Map(rows.map(({ agent, count }) => [Number(agent), Number(count)]));
}
