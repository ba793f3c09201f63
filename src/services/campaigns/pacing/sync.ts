import { counted } from '../../../domain/counted.ts';
import { findRow, getRow, updateRows } from '../../../db/rows.ts';
import { campaigns, type CampaignRow } from '../../../db/tables/campaigns.ts';
import { directories, type DirectoryRow } from '../../../db/tables/directories.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { ConflictError, PreconditionError } from '../../../domain/errors.ts';
import { findSharedContacts, sharedNotes } from '../targets/other-campaigns.ts';
import { appendCampaignLog, type CampaignLogEntry } from '../records/log.ts';
import { failSync } from './change.ts';
import type { CampaignRef, PaceDeps } from './deps.ts';

/**
 * Ties a campaign to the rows of its directory: those of the complete import, or else of a new one, which is
 * started and awaited. Later imports then change nothing for the campaign. Answers whether it is tied.
 */
export async function syncCampaign({
  deps,
  campaign,
}: {
  deps: Pick<PaceDeps, 'db' | 'clock' | 'startImport'>;
  campaign: CampaignRow;
}): Promise<'synced' | 'waits' | 'failed'> {
  const { id, organizationId, directoryId } = campaign;
  const ref = { campaignId: id, organizationId };
  if (campaign.importNumber !== null) return await begun(deps, campaign);
  const found = await getRow(deps.db.manager, directories, { id: directoryId, organizationId });
  const { state, fault } = found;
  if (state === 'failed') {
    await failSync(deps, ref, fault ?? 'the file could not be read');
    return 'failed';
  }
  if (state !== 'ready') {
    return state === 'uploaded' ? await begin(deps, ref, directoryId) : 'waits';
  }
  const notes = await sharedOf(deps, campaign, found);
  return await inTransaction(deps.db, async (tx) => {
    const locked = await findRow(tx, campaigns, { id, organizationId }, { isLocked: true });
    const directory = await getRow(tx, directories, { id: directoryId, organizationId });
    if (locked === null || directory.state !== 'ready') return 'waits';
    if (locked.importNumber !== null) return 'synced';
    const { rows, ok } = directory.totals;
    await updateRows(tx, campaigns, {
      where: { id, organizationId },
      change: {
        importNumber: directory.importNumber,
        totalRows: rows,
        syncFault: null,
        ...(locked.state === 'syncing' ? { state: 'running' } : {}),
      },
    });
    await appendCampaignLog(tx, locked, {
      clock: deps.clock,
      event: 'campaign_synced',
      message: `${ok} of ${counted(rows, 'row')} can be called`,
      details: { rows, ok },
    });
    for (const entry of notes) await appendCampaignLog(tx, locked, { clock: deps.clock, ...entry });
    return 'synced';
  });
}

/** The contacts that other campaigns call, unless they were known and counted at the start. */
async function sharedOf(
  { db, clock }: Pick<PaceDeps, 'db' | 'clock'>,
  { id, organizationId, startedAt }: CampaignRow,
  { id: directoryId, importNumber, importedAt }: DirectoryRow,
): Promise<CampaignLogEntry[]> {
  if (importedAt === null || startedAt === null || importedAt <= startedAt) return [];
  return sharedNotes(
    await findSharedContacts(db, {
      organizationId,
      directoryId,
      importNumber,
      except: [id],
      now: clock.now(),
    }),
  );
}

/** A campaign whose rows were chosen when it was created, such as a redial, has nothing to read. */
async function begun({ db }: Pick<PaceDeps, 'db'>, { id, organizationId }: CampaignRow): Promise<'synced'> {
  await inTransaction(db, (tx) =>
    updateRows(tx, campaigns, {
      where: { id, organizationId, state: 'syncing' },
      change: { state: 'running' },
    }),
  );
  return 'synced';
}

/**
 * Another process may start the import first. A fault that keeps the file from being read is also the
 * campaign's fault.
 */
async function begin(
  deps: Pick<PaceDeps, 'db' | 'clock' | 'startImport'>,
  ref: CampaignRef,
  directoryId: number,
): Promise<'waits' | 'failed'> {
  try {
    await deps.startImport({ organizationId: ref.organizationId, directoryId });
  } catch (error) {
    if (error instanceof PreconditionError) {
      await failSync(deps, ref, error.message);
      return 'failed';
    }
    if (!(error instanceof ConflictError)) throw error;
  }
  return 'waits';
}
