import { In } from 'typeorm';
import type { CampaignRowHistory, CampaignRowState } from '../../contract/campaigns.ts';
import { findRow, getRow } from '../../db/rows.ts';
import { calls, type CallRow } from '../../db/tables/calls.ts';
import { campaignAttempts, type CampaignAttemptRow } from '../../db/tables/campaign-attempts.ts';
import { campaignTargets } from '../../db/tables/campaign-targets.ts';
import type { CampaignRow } from '../../db/tables/campaigns.ts';
import { contacts, type ContactRow } from '../../db/tables/contacts.ts';
import { directories } from '../../db/tables/directories.ts';
import { rulesOf } from '../../domain/campaign/rules.ts';
import { wordsOf } from '../../domain/directory/words-of.ts';
import { NotFoundError } from '../../domain/errors.ts';
import { listedCallColumns } from '../calls/listed.ts';
import { toWorkflowRun } from '../calls/mapper.ts';
import type { ServiceContext } from '../context.ts';
import { readPolicy } from '../dialing/index.ts';
import { wireMoment } from '../wire-moment.ts';
import { findCampaign } from './internal.ts';
import { toRowState } from './rows-mapper.ts';

/** One row with its values and every try (ours). A row that was left out has its findings instead. Throws NotFoundError. */
export async function getCampaignRow({ ctx, publicUrl, input }: { ctx: ServiceContext; publicUrl: string; input: { id: number; row: number } }): Promise<CampaignRowHistory> {
  const campaign = await findCampaign(ctx.db.manager, ctx, input.id);
  const contact = await findContact(ctx, campaign, input.row);
  const state = (await targetState(ctx, campaign, input.row)) ?? (contact === null ? null : leftOut(contact));
  if (state === null) throw new NotFoundError(`The campaign has no row ${input.row}`);
  return { ...state, identifier: contact?.identifier ?? null, ...(await contentOf(ctx, campaign, contact)), history: await historyOf(ctx, { campaign, row: state.row, publicUrl }) };
}

async function findContact(ctx: ServiceContext, { directoryId, importNumber }: CampaignRow, rowNumber: number): Promise<ContactRow | null> {
  if (importNumber === null || !Number.isSafeInteger(rowNumber)) return null;
  return await findRow(ctx.db.manager, contacts, { directoryId, importNumber, rowNumber, organizationId: ctx.organizationId });
}

async function targetState(ctx: ServiceContext, campaign: CampaignRow, rowNumber: number): Promise<CampaignRowState | null> {
  const { organizationId } = ctx;
  const target = Number.isSafeInteger(rowNumber) ? await findRow(ctx.db.manager, campaignTargets, { campaignId: campaign.id, rowNumber, organizationId }) : null;
  if (target === null) return null;
  const { window } = rulesOf(campaign.settings, await readPolicy(ctx.db.manager, organizationId));
  return toRowState(target, { campaign, window, now: ctx.clock.now() });
}

/** Nobody is called for it, or not yet: its state says why. */
function leftOut({ rowNumber, phone, state }: ContactRow): CampaignRowState {
  return { row: rowNumber, phone_number: phone, state: state === 'ok' ? 'queued' : 'left_out', reason: state === 'ok' ? 'rows_are_read' : state, due_at: null, attempts: 0, tries: 0, outcome: null, workflow_run_id: null, settled_at: null };
}

async function contentOf(ctx: ServiceContext, { directoryId }: CampaignRow, contact: ContactRow | null): Promise<Pick<CampaignRowHistory, 'values' | 'findings'>> {
  if (contact === null) return { values: {}, findings: [] };
  const { columns } = await getRow(ctx.db.manager, directories, { id: directoryId, organizationId: ctx.organizationId });
  const findings = (contact.findings ?? []).map((finding) => ({ code: finding.code, level: finding.level, column: finding.column, ...wordsOf(finding) }));
  return { values: Object.fromEntries(columns.map((name, index) => [name, contact.cells[index] ?? ''])), findings };
}

async function historyOf(ctx: ServiceContext, { campaign, row, publicUrl }: { campaign: CampaignRow; row: number; publicUrl: string }): Promise<CampaignRowHistory['history']> {
  const { organizationId, db } = ctx;
  const attempts = await db.getRepository(campaignAttempts).find({ where: { campaignId: campaign.id, rowNumber: row, organizationId }, order: { tryNumber: 'ASC' } });
  if (attempts.length === 0) return [];
  const found = await db.getRepository(calls).createQueryBuilder('call').select(listedCallColumns).where({ organizationId, id: In(attempts.map(({ callId }) => callId)) }).getMany();
  const byId = new Map(found.map((call) => [call.id, call]));
  return attempts.flatMap((attempt) => {
    const call = byId.get(attempt.callId);
    return call === undefined ? [] : [toTry(attempt, call, publicUrl)];
  });
}

function toTry({ tryNumber, because, begunAt, outcome, isSpent, settledAt }: CampaignAttemptRow, call: CallRow, publicUrl: string): CampaignRowHistory['history'][number] {
  const { id, name, disposition, call_duration_seconds } = toWorkflowRun(call, publicUrl);
  return { try: tryNumber, workflow_run_id: id, workflow_run_name: name, because, begun_at: wireMoment(begunAt), outcome, is_spent: isSpent, settled_at: settledAt === null ? null : wireMoment(settledAt), disposition, call_duration_seconds };
}
