import { counted } from '../../../domain/counted.ts';
import type { EntityManager } from 'typeorm';
import type { Campaign } from '../../../contract/campaigns.ts';
import { changeRows, insertRow } from '../../../db/rows.ts';
import { campaigns, type CampaignRow } from '../../../db/tables/campaigns.ts';
import { unrungOutcomes, type TargetOutcome } from '../../../domain/campaign/outcome.ts';
import type { PublishedRetry } from '../../../domain/campaign/settings.ts';
import { appendAudit, type ServiceContext, once, type Write, write } from '../../kernel/index.ts';
import { badRequest } from '../../calls/index.ts';
import { freshCampaign } from './create.ts';
import type { CampaignDeps } from '../records/deps.ts';
import { changeCampaign, findCampaign, lockCampaign, requireState } from './internal.ts';
import { appendDeed } from '../records/log.ts';
import { auditedCampaign } from './mapper.ts';
import { showCampaign } from './show.ts';

export interface RedialInput {
  id: number;
  name: string | undefined;
  /** By reasons (contract 11.7), or by the outcomes of the last calls. */
  chosen:
    | { reasons: { voicemail: boolean; noAnswer: boolean; busy: boolean } }
    | { outcomes: readonly TargetOutcome[] };
  /** Undefined = as in the old campaign. */
  retry: PublishedRetry | undefined;
}

const maxNameLength = 255;

/**
 * Creates a campaign for the contacts that a completed one did not reach (contract 11.7): each row once, by
 * its last call that may have rung. Its rows are already queued and start anew; it is `created`, and dials no
 * one before its start. A campaign is redialed once. Throws NotFoundError, PreconditionError (400).
 */
export async function redialCampaign({
  ctx,
  deps,
  input,
}: {
  ctx: ServiceContext;
  deps: Pick<CampaignDeps, 'campaignCounts'>;
  input: RedialInput;
}): Promise<Campaign> {
  const row = await write(ctx, (tx) => {
    const make = async () => {
      const answer = await redial(tx, ctx, input);
      return { id: answer.id, answer };
    };
    return once(tx, { kind: 'campaign', make, again: (id) => findCampaign(tx, ctx, id) });
  });
  return await showCampaign(ctx, deps, row);
}

async function redial(tx: Write, ctx: ServiceContext, input: RedialInput): Promise<CampaignRow> {
  const parent = await lockCampaign(tx, ctx, input.id);
  if (parent.state !== 'completed') requireState({ ...parent, stopMode: null }, ['completed'], 'redialed');
  // guarantee: campaign-redialed-once
  if (parent.redialedCampaignId !== null)
    throw badRequest(
      `The campaign was already redialed by campaign ${parent.redialedCampaignId}; its state is ${parent.state}`,
    );
  const now = ctx.clock.now();
  const row = await insertRow(tx, campaigns, {
    ...freshCampaign(ctx),
    name: input.name ?? `${parent.name.slice(0, maxNameLength - redialed.length)}${redialed}`,
    agentId: parent.agentId,
    directoryId: parent.directoryId,
    configurationId: parent.configurationId,
    settings: { ...parent.settings, ...(input.retry === undefined ? {} : { retry_config: input.retry }) },
    importNumber: parent.importNumber,
    parentCampaignId: parent.id,
  });
  const queued = await queueAgain(tx, parent, { row, chosen: input.chosen });
  if (queued === 0) throw badRequest('No row to redial: no latest call has a chosen outcome');
  await changeCampaign(tx, row, {
    totalRows: queued,
    plannedAt: now,
    plannedThroughRow: parent.plannedThroughRow,
  });
  await changeCampaign(tx, parent, { redialedCampaignId: row.id });
  await appendDeed(tx, ctx, {
    campaign: row,
    entry: {
      event: 'campaign_created',
      message: `Created to redial ${counted(queued, 'row')} of campaign ${parent.id}`,
      details: { parent_campaign_id: parent.id, rows: queued },
    },
  });
  await appendAudit(tx, {
    action: 'campaign.created',
    subjectKind: 'campaign',
    subjectId: row.id,
    changes: { parentCampaignId: parent.id, rows: queued },
    states: { before: null, after: auditedCampaign(row) },
  });
  return row;
}

const redialed = ' (Redial)';

/** Rows per statement. Each statement ends long before the database counts as unresponsive. */
const rowsAtOnce = 20_000;

interface Again {
  row: CampaignRow;
  chosen: RedialInput['chosen'];
}

/** Copies the targets of the chosen rows, some thousand at a time, within the database. */
async function queueAgain(tx: EntityManager, parent: CampaignRow, again: Again): Promise<number> {
  let queued = 0;
  for (let after = 0; after < parent.plannedThroughRow; after += rowsAtOnce)
    queued += await queueSome(tx, parent, { ...again, after });
  return queued;
}

async function queueSome(
  tx: EntityManager,
  parent: CampaignRow,
  { row, chosen, after }: Again & { after: number },
): Promise<number> {
  const { from, values } = conditionOf(chosen);
  const affectedRows = await changeRows(tx, {
    organizationId: parent.organizationId,
    sql: `INSERT INTO campaign_targets (campaign_id, \`row_number\`, organization_id, state, phone, zone_key, position, spent_attempts, attempts)
     SELECT ?, target.\`row_number\`, target.organization_id, 'queued', target.phone, target.zone_key, target.position, 0, 0
     FROM campaign_targets AS target ${from}
       AND target.campaign_id = ? AND target.organization_id = ? AND target.\`row_number\` > ? AND target.\`row_number\` <= ?`,
    values: [row.id, ...values, parent.id, parent.organizationId, after, after + rowsAtOnce],
  });
  return affectedRows;
}

/**
 * The row's last call that may have rung. A later attempt that did not ring, as in a pause, says nothing
 * about the person.
 */
// guarantee: redial-finds-last-real-outcome
const latestCall = `COALESCE((SELECT rung.call_id FROM campaign_attempts AS rung WHERE rung.campaign_id = target.campaign_id AND rung.\`row_number\` = target.\`row_number\` AND rung.organization_id = target.organization_id
       AND rung.outcome NOT IN (?) ORDER BY rung.attempt_number DESC LIMIT 1), target.call_id)`;

/**
 * The conditions that choose rows, for the start of a WHERE clause. A row may have an outcome and no call,
 * such as one closed by a stop.
 */
function conditionOf(chosen: RedialInput['chosen']): { from: string; values: readonly unknown[] } {
  if ('outcomes' in chosen)
    return {
      from: `WHERE target.outcome IN (${chosen.outcomes.map(() => '?').join(', ')})`,
      values: chosen.outcomes,
    };
  const { voicemail, noAnswer, busy } = chosen.reasons;
  const tags = [
    ...(voicemail ? ['voicemail_detected'] : []),
    ...(noAnswer ? ['telephony_no-answer'] : []),
    ...(busy ? ['telephony_busy'] : []),
  ];
  const contains = tags
    .map(() => 'CASE WHEN JSON_VALID(latest.tags) THEN JSON_CONTAINS(latest.tags, ?) ELSE 0 END = 1')
    .join(' OR ');
  return {
    from: `JOIN calls AS latest ON latest.id = ${latestCall} AND latest.organization_id = target.organization_id WHERE (${contains})`,
    values: [unrungOutcomes, ...tags.map((tag) => JSON.stringify(tag))],
  };
}
