import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { columns } from '../../src/db/rows.ts';
import { agents } from '../../src/db/tables/agents.ts';
import { campaigns, type CampaignRow } from '../../src/db/tables/campaigns.ts';
import { campaignTargets, type CampaignTargetRow } from '../../src/db/tables/campaign-targets.ts';
import { directories, type DirectoryRow } from '../../src/db/tables/directories.ts';
import { noTotals } from '../../src/domain/directory/totals.ts';
import { insertedId } from './inserted-id.ts';

const at = new Date('2026-11-20T10:00:00.000Z');

/** Inserts a running campaign of an organization with these targets; answers the campaign's id. */
export async function insertCampaign(
  db: DataSource,
  organizationId: number,
  targets: readonly Partial<CampaignTargetRow>[],
): Promise<number> {
  const agentId = await insertedId(
    db.getRepository(agents).insert({
      uuid: randomUUID(),
      organizationId,
      name: 'Agent',
      state: 'active',
      dispositionCodes: [],
      publishedVersionId: null,
      draftVersionId: null,
      lastVersionNumber: 1,
      createdAt: at,
      updatedAt: at,
    }),
  );
  const directory: Omit<DirectoryRow, 'id'> = {
    uuid: randomUUID(),
    organizationId,
    name: 'List',
    fileKey: `campaigns/${organizationId}/${randomUUID()}_list.csv`,
    fileName: 'list.csv',
    kind: 'csv',
    bytes: 1,
    sha256: '0'.repeat(64),
    reading: { encoding: 'utf8', separator: ',', sheet: null, headerLine: 1 },
    mapping: {
      phone: 'phone_number',
      identifier: null,
      timeZone: null,
      doNotCall: null,
      priority: null,
      openingLine: null,
      skipped: [],
      defaultCountry: null,
      unassigned: 'call',
      duplicates: 'first',
    },
    state: 'ready',
    importNumber: 1,
    columns: ['phone_number'],
    totals: noTotals,
    fault: null,
    repairedFromId: null,
    createdByUserId: null,
    createdAt: at,
    importedAt: at,
  };
  const directoryId = await insertedId(
    db.getRepository(directories).insert(columns<DirectoryRow>(directory)),
  );
  const campaign: Omit<CampaignRow, 'id'> = {
    uuid: randomUUID(),
    organizationId,
    name: 'Campaign',
    agentId,
    versionId: null,
    directoryId,
    importNumber: 1,
    configurationId: null,
    state: 'running',
    settings: {
      retry_config: null,
      max_concurrency: null,
      schedule_config: null,
      circuit_breaker: null,
      rules: null,
    },
    totalRows: targets.length,
    plannedThroughRow: targets.length,
    plannedAt: at,
    syncFault: null,
    waitReason: null,
    waitUntil: null,
    stopMode: null,
    breakerSince: null,
    wantsLinesUntil: null,
    reviseAfterRow: null,
    parentCampaignId: null,
    redialedCampaignId: null,
    createdByUserId: null,
    createdAt: at,
    startedAt: at,
    completedAt: null,
  };
  const campaignId = await insertedId(db.getRepository(campaigns).insert(columns<CampaignRow>(campaign)));
  const rows = targets.map((target, index): CampaignTargetRow => ({
    campaignId,
    rowNumber: index + 1,
    organizationId,
    state: 'queued',
    phone: '12025550100',
    zoneKey: '',
    position: index + 1,
    dueAt: null,
    notBefore: null,
    waitReason: null,
    spentAttempts: 0,
    attempts: 0,
    outcome: null,
    callId: null,
    phoneNumberId: null,
    claimedUntil: null,
    settledAt: null,
    ...target,
  }));
  await db.getRepository(campaignTargets).insert(rows);
  return campaignId;
}

/** Every target of a campaign, in the order of its rows. */
export async function targetsOf(
  db: DataSource,
  campaignId: number,
): Promise<Pick<CampaignTargetRow, 'state' | 'outcome' | 'dueAt' | 'waitReason'>[]> {
  const rows = await db
    .getRepository(campaignTargets)
    .find({ where: { campaignId }, order: { rowNumber: 'ASC' } });
  return rows.map(({ state, outcome, dueAt, waitReason }) => ({ state, outcome, dueAt, waitReason }));
}
