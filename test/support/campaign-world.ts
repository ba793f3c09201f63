import { randomUUID } from 'node:crypto';
import { getRow, insertRow, columns } from '../../src/db/rows.ts';
import { agents } from '../../src/db/tables/agents.ts';
import { calls, type CallRow } from '../../src/db/tables/calls.ts';
import { campaignAttempts, type CampaignAttemptRow } from '../../src/db/tables/campaign-attempts.ts';
import { campaignLogs } from '../../src/db/tables/campaign-logs.ts';
import { campaignTargets, type CampaignTargetRow } from '../../src/db/tables/campaign-targets.ts';
import { campaigns, type CampaignRow } from '../../src/db/tables/campaigns.ts';
import { contacts, type ContactRow } from '../../src/db/tables/contacts.ts';
import { dialPolicies } from '../../src/db/tables/dial-policies.ts';
import { directories } from '../../src/db/tables/directories.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import type { NotDialed } from '../../src/domain/campaign/not-dialed.ts';
import type { DialPolicy } from '../../src/domain/campaign/policy.ts';
import type { CampaignSettings } from '../../src/domain/campaign/settings.ts';
import { noTotals } from '../../src/domain/directory/totals.ts';
import type { Definition } from '../../src/domain/graph/definition.ts';
import type { RetryClass } from '../../src/domain/telephony/retry-class.ts';
import { createAgent } from '../../src/services/agents/index.ts';
import { factsOfCall, settleTarget, lockPolicy } from '../../src/services/campaigns/index.ts';
import type { ServiceContext } from '../../src/services/kernel/context.ts';
import { threeStepDefinition } from './definitions.ts';
import { insertConnection } from './telephony.ts';

/** Contract 11.5 with defaults only. */
export const plainSettings: CampaignSettings = {
  retry_config: null,
  max_concurrency: null,
  schedule_config: null,
  circuit_breaker: null,
  rules: null,
};

export interface CampaignWish {
  /** Their number, or what differs from the usual in each. Row numbers count from 1. */
  contacts: number | Partial<ContactRow>[];
  /** Active numbers of the connection. */
  numbers?: number;
  configurationId?: number;
  definition?: Definition;
  settings?: Partial<CampaignSettings>;
  row?: Partial<CampaignRow>;
}

/** The number of the contact in that row: digits with country code. */
export const phoneOf = (rowNumber: number): string => `1415${String(5_550_000 + rowNumber)}`;

/** Inserts a started campaign on a directory whose rows were read. */
export async function insertCampaign(
  ctx: ServiceContext,
  {
    contacts: wished,
    numbers = 1,
    configurationId,
    definition = threeStepDefinition({ webhook: false, extraction: false }),
    settings = {},
    row = {},
  }: CampaignWish,
): Promise<CampaignRow> {
  const { organizationId, clock } = ctx;
  const { id: agentId } = await createAgent({ ctx, input: { name: 'Campaign agent', definition } });
  const connection =
    configurationId ??
    (await insertConnection(ctx.db, organizationId, { numbers: Array.from({ length: numbers }, () => true) }))
      .configurationId;
  const given = typeof wished === 'number' ? Array.from({ length: wished }, () => ({})) : wished;
  const uuid = randomUUID();
  const directory = await insertRow(ctx.db.manager, directories, {
    uuid,
    organizationId,
    name: 'Contacts',
    fileKey: `campaigns/${organizationId}/${uuid}_contacts.csv`,
    fileName: 'contacts.csv',
    kind: 'csv',
    bytes: 1,
    sha256: 'f'.repeat(64),
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
    columns: ['phone_number', 'name'],
    totals: { ...noTotals, rows: given.length, ok: given.length },
    fault: null,
    repairedFromId: null,
    createdByUserId: null,
    createdAt: clock.now(),
    importedAt: clock.now(),
  });
  const all = given.map((each, index): ContactRow => ({
    directoryId: directory.id,
    importNumber: 1,
    rowNumber: index + 1,
    organizationId,
    state: 'ok',
    phone: phoneOf(index + 1),
    zoneKey: '',
    identifier: null,
    priority: 0,
    cells: [`+${phoneOf(index + 1)}`, `Person ${index + 1}`],
    findings: null,
    ...each,
  }));
  for (let from = 0; from < all.length; from += 1000)
    await ctx.db
      .getRepository(contacts)
      .insert(all.slice(from, from + 1000).map((each) => columns<ContactRow>(each)));
  return await insertRow(ctx.db.manager, campaigns, {
    uuid: randomUUID(),
    organizationId,
    name: 'Campaign',
    agentId,
    versionId: null,
    directoryId: directory.id,
    importNumber: null,
    configurationId: connection,
    state: 'syncing' as const,
    settings: { ...plainSettings, ...settings },
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
    createdByUserId: null,
    createdAt: clock.now(),
    startedAt: clock.now(),
    completedAt: null,
    ...row,
  });
}

/** Sets the organization's dial policy. */
export async function setPolicy(
  { db, organizationId, clock }: ServiceContext,
  policy: DialPolicy,
): Promise<void> {
  await inTransaction(db, (tx) => lockPolicy(tx, organizationId, clock.now()));
  await db
    .getRepository(dialPolicies)
    .update({ organizationId }, columns<object>({ policy, paceTokens: policy.startsPerSecond ?? 1 }));
}

export const targetsOf = async (
  { db, organizationId }: ServiceContext,
  { id: campaignId }: CampaignRow,
): Promise<CampaignTargetRow[]> =>
  await db
    .getRepository(campaignTargets)
    .find({ where: { campaignId, organizationId }, order: { rowNumber: 'ASC' } });
export const attemptsOf = async (
  { db, organizationId }: ServiceContext,
  { id: campaignId }: CampaignRow,
): Promise<CampaignAttemptRow[]> =>
  await db
    .getRepository(campaignAttempts)
    .find({ where: { campaignId, organizationId }, order: { rowNumber: 'ASC', attemptNumber: 'ASC' } });
export const callsOf = async (
  { db, organizationId }: ServiceContext,
  { id: campaignId }: CampaignRow,
): Promise<CallRow[]> =>
  await db.getRepository(calls).find({ where: { campaignId, organizationId }, order: { id: 'ASC' } });
export const campaignOf = async (
  { db, organizationId }: ServiceContext,
  { id }: CampaignRow,
): Promise<CampaignRow> => await getRow(db.manager, campaigns, { id, organizationId });
export const eventsOf = async (
  { db, organizationId }: ServiceContext,
  { id: campaignId }: CampaignRow,
): Promise<string[]> =>
  (
    await db.getRepository(campaignLogs).find({ where: { campaignId, organizationId }, order: { id: 'ASC' } })
  ).map(({ event }) => event);
export const agentOf = async ({ db, organizationId }: ServiceContext, { agentId: id }: CampaignRow) =>
  await getRow(db.manager, agents, { id, organizationId });

/** Ends a call as its Workflow would. By default the line was busy. */
export async function endCall(
  { db, clock }: ServiceContext,
  call: CallRow,
  {
    disposition = 'busy',
    retryClass = 'busy',
    notDialed = null,
    ...row
  }: Partial<CallRow> & { retryClass?: RetryClass; notDialed?: NotDialed | null } = {},
): Promise<void> {
  const ended: CallRow = { ...call, state: 'ended', disposition, endedAt: clock.now(), ...row };
  await inTransaction(db, async (tx) => {
    await tx
      .getRepository(calls)
      .update({ id: call.id }, { state: 'ended', disposition, endedAt: ended.endedAt });
    await settleTarget(tx, { call, facts: factsOfCall(ended, { retryClass, notDialed }), at: clock.now() });
  });
}
