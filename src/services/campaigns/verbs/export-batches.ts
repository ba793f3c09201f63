import { In, MoreThan } from 'typeorm';
import { findRows, selectFrom } from '../../../db/rows.ts';
import { calls, type CallRow } from '../../../db/tables/calls.ts';
import { campaignTargets, type CampaignTargetRow } from '../../../db/tables/campaign-targets.ts';
import type { CampaignRow } from '../../../db/tables/campaigns.ts';
import { contacts, type ContactRow } from '../../../db/tables/contacts.ts';
import { listedCallColumns, withPublicToken } from '../../calls/index.ts';
import type { ServiceContext } from '../../kernel/index.ts';

/** One row of the file, its target in the campaign and its last call. */
export interface ExportedRow {
  contact: ContactRow;
  /** Null for a row that is left out. */
  target: CampaignTargetRow | null;
  call: CallRow | null;
}

/** Rows read at a time. */
const batchSize = 1000;

/**
 * The rows of the campaign's import in the order of the file; for a redial, only its own rows. Each batch
 * begins after the last row.
 */
export async function* exportBatches(
  ctx: ServiceContext,
  campaign: CampaignRow,
): AsyncGenerator<ExportedRow[]> {
  const { directoryId, importNumber } = campaign;
  if (importNumber === null) return;
  for (let last = 0; ;) {
    const found = await findRows(
      ctx.db,
      contacts,
      { directoryId, importNumber, organizationId: ctx.organizationId, rowNumber: MoreThan(last) },
      { order: { rowNumber: 'ASC' }, take: batchSize },
    );
    if (found.length > 0) yield await withPlaces(ctx, campaign, found);
    if (found.length < batchSize) return;
    last = found.at(-1)?.rowNumber ?? last;
  }
}

async function withPlaces(
  ctx: ServiceContext,
  campaign: CampaignRow,
  found: readonly ContactRow[],
): Promise<ExportedRow[]> {
  const { organizationId } = ctx;
  const targets = await findRows(ctx.db, campaignTargets, {
    campaignId: campaign.id,
    organizationId,
    rowNumber: In(found.map(({ rowNumber }) => rowNumber)),
  });
  const byRow = new Map(targets.map((target) => [target.rowNumber, target]));
  const latest = await latestCalls(
    ctx,
    targets.flatMap(({ callId }) => (callId === null ? [] : [callId])),
  );
  const rows = found.map((contact) => {
    const target = byRow.get(contact.rowNumber) ?? null;
    return { contact, target, call: target?.callId == null ? null : (latest.get(target.callId) ?? null) };
  });
  return campaign.parentCampaignId === null ? rows : rows.filter(({ target }) => target !== null);
}

async function latestCalls(ctx: ServiceContext, ids: number[]): Promise<Map<number, CallRow>> {
  if (ids.length === 0) return new Map();
  const found = await selectFrom(ctx.db, calls, { as: 'call', organizationId: ctx.organizationId })
    .select(listedCallColumns)
    .andWhere({ id: In(ids) })
    .getMany();
  const latest = new Map<number, CallRow>();
  for (const call of found) latest.set(call.id, await withPublicToken(ctx, call));
  return latest;
}
