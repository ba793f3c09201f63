import type { Campaign } from '../../../contract/campaigns.ts';
import { insertRow } from '../../../db/rows.ts';
import type { AgentRow } from '../../../db/tables/agents.ts';
import { campaigns, type CampaignRow } from '../../../db/tables/campaigns.ts';
import type { CampaignSettings } from '../../../domain/campaign/settings.ts';
import { InvariantError, NotFoundError } from '../../../domain/errors.ts';
import { requireActive, findAgent } from '../../agents/index.ts';
import { appendAudit, type ServiceContext, madeBefore, once, type Write, write } from '../../kernel/index.ts';
import { checkFile, type CheckedFile, type FileWish } from './check-file.ts';
import { checkSettings, settingNames } from './check-settings.ts';
import type { CampaignDeps } from '../records/deps.ts';
import { findCampaign } from './internal.ts';
import { appendCampaignLog } from '../records/log.ts';
import { auditedCampaign } from './mapper.ts';
import { showCampaign } from './show.ts';

export interface CreateCampaignInput {
  name: string;
  agentId: number;
  configurationId: number | null;
  settings: CampaignSettings;
  file: FileWish;
}

/**
 * Creates a campaign, which dials no one before its start (contract 11.3, 11.5). All checks come first,
 * outside the transaction, because a file takes time. Throws NotFoundError for the agent, ValidationError and
 * PreconditionError (400) for unusable input, UnavailableError without a storage.
 */
export async function createCampaign({
  ctx,
  deps,
  input,
}: {
  ctx: ServiceContext;
  deps: CampaignDeps;
  input: CreateCampaignInput;
}): Promise<Campaign> {
  const file = madeBefore(ctx, 'campaign') === null ? await checkAll(ctx, deps, input) : null;
  const row = await write(ctx, (tx) => {
    const make = async () => {
      if (file === null) throw new InvariantError('A campaign that a request created is missing');
      const answer = await insertCampaign(tx, ctx, { input, file });
      return { id: answer.id, answer };
    };
    return once(tx, { kind: 'campaign', make, again: (id) => findCampaign(tx, ctx, id) });
  });
  return await showCampaign(ctx, deps, row);
}

async function checkAll(
  ctx: ServiceContext,
  deps: CampaignDeps,
  { agentId, configurationId, settings, file }: CreateCampaignInput,
): Promise<CheckedFile> {
  const agent = await agentOf(ctx, agentId);
  requireActive(agent);
  await checkSettings(ctx.db.manager, ctx, { deps, settings, configurationId, changed: settingNames });
  return await checkFile(ctx, deps, { agent, wish: file });
}

async function agentOf(ctx: ServiceContext, agentId: number): Promise<AgentRow> {
  try {
    return await findAgent(ctx.db.manager, ctx, agentId);
  } catch (error) {
    throw error instanceof NotFoundError ? new NotFoundError('Workflow not found', { cause: error }) : error;
  }
}

async function insertCampaign(
  tx: Write,
  ctx: ServiceContext,
  { input, file: { directory, rows, notes } }: { input: CreateCampaignInput; file: CheckedFile },
): Promise<CampaignRow> {
  const row = await insertRow(tx, campaigns, {
    ...freshCampaign(ctx),
    name: input.name,
    agentId: input.agentId,
    directoryId: directory.id,
    configurationId: input.configurationId,
    settings: input.settings,
    totalRows: rows,
  });
  for (const note of notes) await appendCampaignLog(tx, row, { clock: ctx.clock, ...note });
  await appendAudit(tx, {
    action: 'campaign.created',
    subjectKind: 'campaign',
    subjectId: row.id,
    changes: { agentId: row.agentId, directoryId: row.directoryId },
    states: { before: null, after: auditedCampaign(row) },
  });
  return row;
}

/** The initial values of every campaign. */
export function freshCampaign(
  ctx: ServiceContext,
): Omit<CampaignRow, 'id' | 'name' | 'agentId' | 'directoryId' | 'configurationId' | 'settings'> {
  return {
    uuid: ctx.ids.uuid(),
    organizationId: ctx.organizationId,
    versionId: null,
    importNumber: null,
    state: 'created',
    totalRows: null,
    plannedThroughRow: 0,
    plannedAt: null,
    syncFault: null,
    waitReason: null,
    waitUntil: null,
    stopMode: null,
    breakerSince: null,
    wantsLinesUntil: null,
    reviseAfterRow: null,
    parentCampaignId: null,
    redialedCampaignId: null,
    createdByUserId: ctx.actor.kind === 'system' ? null : ctx.actor.userId,
    createdAt: ctx.clock.now(),
    startedAt: null,
    completedAt: null,
  };
}
