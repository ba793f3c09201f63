import type { EntityManager } from 'typeorm';
import type { Campaign } from '../../../contract/campaigns.ts';
import { getRow } from '../../../db/rows.ts';
import { agents } from '../../../db/tables/agents.ts';
import { directories } from '../../../db/tables/directories.ts';
import type { CampaignRow } from '../../../db/tables/campaigns.ts';
import { UnavailableError } from '../../../domain/errors.ts';
import { appendAudit, type ServiceContext, once, type Write, write } from '../../kernel/index.ts';
import { findOutbound } from '../../telephony/index.ts';
import { badRequest, requireConnection } from '../../calls/index.ts';
import type { CampaignDeps } from '../records/deps.ts';
import { findSharedContacts, sharedNotes } from '../targets/other-campaigns.ts';
import { changeCampaign, findCampaign, lockCampaign, requireState } from './internal.ts';
import { appendCampaignLog, appendDeed, type CampaignLogEntry } from '../records/log.ts';
import { runInputOf } from '../records/run-input.ts';
import { showCampaign } from './show.ts';

interface Beginning {
  ctx: ServiceContext;
  deps: CampaignDeps;
  input: { id: number };
}

/**
 * Starts a campaign (contract 11.5): `syncing` until its first rows are read. Throws NotFoundError,
 * PreconditionError (400) in another state or if no one could be called, UnavailableError when Temporal is
 * unavailable; then it stays `created`.
 */
export async function startCampaign(beginning: Beginning): Promise<Campaign> {
  return await begin(beginning, {
    from: 'created',
    to: 'syncing',
    action: 'started',
    change: (now) => ({ startedAt: now }),
    undo: { startedAt: null, versionId: null },
  });
}

/**
 * Resumes a paused campaign. Earlier failures no longer count for its breaker. Throws as `startCampaign`
 * does.
 */
export async function resumeCampaign(beginning: Beginning): Promise<Campaign> {
  return await begin(beginning, {
    from: 'paused',
    to: 'running',
    action: 'resumed',
    change: () => ({ waitReason: null, waitUntil: null }),
    undo: { waitReason: 'paused' },
  });
}

interface Begin {
  from: 'created' | 'paused';
  to: 'syncing' | 'running';
  action: 'started' | 'resumed';
  change: (now: Date) => Partial<CampaignRow>;
  /** What the row is set back to, besides its state. */
  undo: Partial<CampaignRow>;
}

async function begin(
  { ctx, deps, input }: Beginning,
  { from, to, action, change, undo }: Begin,
): Promise<Campaign> {
  const notes = action === 'started' ? await sharedOf(ctx, input.id) : [];
  const { row, run } = await write(ctx, async (tx) => {
    const campaign = await lockCampaign(tx, ctx, input.id);
    const make = async () => {
      requireState(campaign, [from], action);
      const versionId = await requireCallable(tx, ctx, { deps, campaign });
      const now = ctx.clock.now();
      await changeCampaign(tx, campaign, {
        state: to,
        breakerSince: now,
        ...change(now),
        ...(action === 'started' ? { versionId } : {}),
      });
      await note(tx, ctx, campaign, {
        from,
        to,
        event: `campaign_${action}`,
        message: `The campaign was ${action}`,
      });
      for (const entry of notes) await appendCampaignLog(tx, campaign, { clock: ctx.clock, ...entry });
      return { id: campaign.id, answer: campaign };
    };
    // A campaign that was set back is started again.
    const again = () => Promise.resolve(campaign.state === from ? null : campaign);
    return {
      row: await once(tx, { kind: `campaign_${action}`, make, again }),
      run: await runInputOf(tx, campaign),
    };
  });
  try {
    await deps.campaignRuns.start(run);
  } catch (error) {
    if (!(error instanceof UnavailableError) || (await putBack(ctx, row, { from, to, undo }))) throw error;
  }
  return await showCampaign(ctx, deps, row);
}

/** The contacts that other campaigns call, if the rows are known. */
async function sharedOf(ctx: ServiceContext, id: number): Promise<CampaignLogEntry[]> {
  const { organizationId, db } = ctx;
  const campaign = await findCampaign(db.manager, ctx, id);
  const directory = await getRow(db.manager, directories, { id: campaign.directoryId, organizationId });
  if (directory.state !== 'ready') return [];
  return sharedNotes(
    await findSharedContacts(db, {
      organizationId,
      directoryId: directory.id,
      importNumber: campaign.importNumber ?? directory.importNumber,
      except: [campaign.id, ...(campaign.parentCampaignId === null ? [] : [campaign.parentCampaignId])],
      now: ctx.clock.now(),
    }),
  );
}

/**
 * Sets the campaign back. True if it is in its earlier state; false if its pacer has already taken it, so
 * that it runs.
 */
async function putBack(
  ctx: ServiceContext,
  { id }: CampaignRow,
  { from, to, undo }: Pick<Begin, 'from' | 'to' | 'undo'>,
): Promise<boolean> {
  return await write(ctx, async (tx) => {
    const campaign = await lockCampaign(tx, ctx, id);
    if (campaign.state !== to || campaign.stopMode !== null) return false;
    // guarantee: failed-start-is-undone
    await changeCampaign(tx, campaign, { state: from, ...undo });
    await note(tx, ctx, campaign, {
      from: to,
      to: from,
      event: 'start_put_back',
      message: 'Temporal was unavailable, so the campaign is as it was before',
      level: 'warning',
    });
    return true;
  });
}

/**
 * Throws PreconditionError (400) if every dial would fail. Answers the version to pin; null if each dial
 * takes the published one.
 */
async function requireCallable(
  tx: EntityManager,
  ctx: ServiceContext,
  { deps, campaign }: { deps: CampaignDeps; campaign: CampaignRow },
): Promise<number | null> {
  const { organizationId } = ctx;
  const agent = await getRow(tx, agents, { id: campaign.agentId, organizationId });
  if (agent.state === 'archived') throw badRequest('The agent is archived');
  if (agent.publishedVersionId === null) throw badRequest('The agent has no published version');
  requireConnection(await findOutbound(tx, ctx, { carriers: deps.carriers, id: campaign.configurationId }));
  return campaign.settings.rules?.agent_version === 'pinned' ? agent.publishedVersionId : null;
}

async function note(
  tx: Write,
  ctx: ServiceContext,
  campaign: CampaignRow,
  { from, to, ...entry }: { from: string; to: string; event: string; message: string; level?: 'warning' },
): Promise<void> {
  await appendDeed(tx, ctx, { campaign, entry });
  await appendAudit(tx, {
    action: 'campaign.state_changed',
    subjectKind: 'campaign',
    subjectId: campaign.id,
    states: { before: { state: from }, after: { state: to } },
  });
}
