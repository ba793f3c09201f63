import { randomUUID } from 'node:crypto';
import { columns, type Db } from '../../src/db/rows.ts';
import { campaignTargets, type CampaignTargetRow } from '../../src/db/tables/campaign-targets.ts';
import { campaigns, type CampaignRow } from '../../src/db/tables/campaigns.ts';
import { contacts, type ContactRow } from '../../src/db/tables/contacts.ts';
import { directories, type DirectoryRow } from '../../src/db/tables/directories.ts';
import { noTotals } from '../../src/domain/directory/totals.ts';
import { insertedId } from './inserted-id.ts';

const at = new Date('2026-11-21T10:00:00.000Z');
const published = {
  retry_config: null,
  max_concurrency: null,
  schedule_config: null,
  circuit_breaker: null,
  rules: null,
};

/**
 * A directory with one completed import of callable rows with the columns `phone_number` and `first_name`.
 */
export async function insertDirectory(
  db: Db,
  organizationId: number,
  { rows = 1, ...changes }: Partial<DirectoryRow> & { rows?: number } = {},
): Promise<DirectoryRow> {
  const uuid = randomUUID();
  const row: Omit<DirectoryRow, 'id'> = {
    uuid,
    organizationId,
    name: 'contacts.csv',
    fileKey: `campaigns/${organizationId}/${uuid}_contacts.csv`,
    fileName: 'contacts.csv',
    kind: 'csv',
    bytes: 100,
    sha256: 'a'.repeat(64),
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
    columns: ['phone_number', 'first_name'],
    totals: { ...noTotals, rows, ok: rows },
    fault: null,
    repairedFromId: null,
    createdByUserId: null,
    createdAt: at,
    importedAt: at,
    ...changes,
  };
  const id = await insertedId(db.getRepository(directories).insert(columns<DirectoryRow>(row)));
  for (let rowNumber = 1; rowNumber <= rows; rowNumber += 1)
    await insertContact(db, { ...row, id }, { rowNumber });
  return { ...row, id };
}

export async function insertContact(
  db: Db,
  { id, organizationId, importNumber }: DirectoryRow,
  { rowNumber, ...changes }: Partial<ContactRow> & { rowNumber: number },
): Promise<void> {
  const phone = phoneOf(rowNumber);
  const row: ContactRow = {
    directoryId: id,
    importNumber,
    rowNumber,
    organizationId,
    state: 'ok',
    phone,
    zoneKey: '',
    identifier: null,
    priority: 0,
    cells: [phone, `Ada ${rowNumber}`],
    findings: null,
    ...changes,
  };
  await db.getRepository(contacts).insert(columns<ContactRow>(row));
}

/** A campaign on that directory, with a target for each of these rows. */
export async function insertCampaign(
  db: Db,
  directory: DirectoryRow,
  {
    agentId,
    targets = [],
    ...changes
  }: Partial<CampaignRow> & {
    agentId: number;
    targets?: (Partial<CampaignTargetRow> & { rowNumber: number })[];
  },
): Promise<CampaignRow> {
  const { organizationId, id: directoryId, importNumber } = directory;
  const row: Omit<CampaignRow, 'id'> = {
    uuid: randomUUID(),
    organizationId,
    name: 'campaign',
    agentId,
    versionId: null,
    directoryId,
    importNumber,
    configurationId: null,
    state: 'created',
    settings: published,
    totalRows: directory.totals.rows,
    plannedThroughRow: directory.totals.rows,
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
    startedAt: null,
    completedAt: null,
    ...changes,
  };
  const id = await insertedId(db.getRepository(campaigns).insert(columns<CampaignRow>(row)));
  for (const target of targets) await insertTarget(db, { ...row, id }, target);
  return { ...row, id };
}

async function insertTarget(
  db: Db,
  { id, organizationId }: CampaignRow,
  { rowNumber, ...changes }: Partial<CampaignTargetRow> & { rowNumber: number },
): Promise<void> {
  const row: CampaignTargetRow = {
    campaignId: id,
    rowNumber,
    organizationId,
    state: 'queued',
    phone: phoneOf(rowNumber),
    zoneKey: '',
    position: rowNumber,
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
    ...changes,
  };
  await db.getRepository(campaignTargets).insert(columns<CampaignTargetRow>(row));
}

const phoneOf = (rowNumber: number): string => `1202555${String(1000 + rowNumber)}`;
