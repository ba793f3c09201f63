import { In } from 'typeorm';
import type { CampaignRowHistory, CampaignRowState } from '../../../contract/campaigns.ts';
import { findRow, findRows, getRow, selectFrom } from '../../../db/rows.ts';
import { calls } from '../../../db/tables/calls.ts';
import { campaignAttempts } from '../../../db/tables/campaign-attempts.ts';
import { campaignTargets } from '../../../db/tables/campaign-targets.ts';
import type { CampaignRow } from '../../../db/tables/campaigns.ts';
import { contacts, type ContactRow } from '../../../db/tables/contacts.ts';
import { directories } from '../../../db/tables/directories.ts';
import { rulesOf } from '../../../domain/campaign/rules.ts';
import { wordsOf } from '../../../domain/directory/words-of.ts';
import { NotFoundError } from '../../../domain/errors.ts';
import { listedCallColumns } from '../../calls/index.ts';
import { callsInDoubt } from '../targets/in-doubt.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { findCampaign } from './internal.ts';
import { toLeftOut, toRowState, toAttempt } from './mapper.ts';
import { readPolicy } from '../../telephony/index.ts';

/**
 * One row with its values and every attempt (ours). A row that was left out has its findings instead. Throws
 * NotFoundError.
 */
export async function getCampaignRow({
  ctx,
  publicUrl,
  input,
}: {
  ctx: ServiceContext;
  publicUrl: string;
  input: { id: number; row: number };
}): Promise<CampaignRowHistory> {
  const campaign = await findCampaign(ctx.db.manager, ctx, input.id);
  const contact = await findContact(ctx, campaign, input.row);
  const state =
    (await targetState(ctx, campaign, input.row)) ?? (contact === null ? null : toLeftOut(contact, campaign));
  if (state === null) throw new NotFoundError(`The campaign has no row ${input.row}`);
  return {
    ...state,
    identifier: contact?.identifier ?? null,
    ...(await contentOf(ctx, campaign, contact)),
    history: await historyOf(ctx, { campaign, row: state.row, publicUrl }),
  };
}

async function findContact(
  ctx: ServiceContext,
  { directoryId, importNumber }: CampaignRow,
  rowNumber: number,
): Promise<ContactRow | null> {
  if (importNumber === null || !Number.isSafeInteger(rowNumber)) return null;
  return await findRow(ctx.db.manager, contacts, {
    directoryId,
    importNumber,
    rowNumber,
    organizationId: ctx.organizationId,
  });
}

async function targetState(
  ctx: ServiceContext,
  campaign: CampaignRow,
  rowNumber: number,
): Promise<CampaignRowState | null> {
  const { organizationId } = ctx;
  const target = Number.isSafeInteger(rowNumber)
    ? await findRow(ctx.db.manager, campaignTargets, { campaignId: campaign.id, rowNumber, organizationId })
    : null;
  if (target === null) return null;
  const { window } = rulesOf(campaign.settings, await readPolicy(ctx.db.manager, organizationId));
  const inDoubt = await callsInDoubt(ctx, {
    organizationId,
    callIds: target.state === 'processing' && target.callId !== null ? [target.callId] : [],
  });
  return toRowState(target, { campaign, window, now: ctx.clock.now(), inDoubt });
}

async function contentOf(
  ctx: ServiceContext,
  { directoryId }: CampaignRow,
  contact: ContactRow | null,
): Promise<Pick<CampaignRowHistory, 'values' | 'findings'>> {
  if (contact === null) return { values: {}, findings: [] };
  const { columns } = await getRow(ctx.db.manager, directories, {
    id: directoryId,
    organizationId: ctx.organizationId,
  });
  const findings = (contact.findings ?? []).map((finding) => ({
    code: finding.code,
    level: finding.level,
    column: finding.column,
    ...wordsOf(finding),
  }));
  return {
    values: Object.fromEntries(columns.map((name, index) => [name, contact.cells[index] ?? ''])),
    findings,
  };
}

async function historyOf(
  ctx: ServiceContext,
  { campaign, row, publicUrl }: { campaign: CampaignRow; row: number; publicUrl: string },
): Promise<CampaignRowHistory['history']> {
  const { organizationId, db } = ctx;
  const attempts = await findRows(
    db,
    campaignAttempts,
    { campaignId: campaign.id, rowNumber: row, organizationId },
    { order: { attemptNumber: 'ASC' } },
  );
  if (attempts.length === 0) return [];
  const found = await selectFrom(db, calls, { as: 'call', organizationId })
    .select(listedCallColumns)
    .andWhere({ id: In(attempts.map(({ callId }) => callId)) })
    .getMany();
  const byId = new Map(found.map((call) => [call.id, call]));
  return attempts.flatMap((attempt) => {
    const call = byId.get(attempt.callId);
    return call === undefined ? [] : [toAttempt(attempt, call, publicUrl)];
  });
}
