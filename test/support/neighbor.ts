import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import type { DataSource, EntityManager } from 'typeorm';
import { insertRow, insertRows, updateRows } from '../../src/db/rows.ts';
import { agents } from '../../src/db/tables/agents.ts';
import { agentVersions } from '../../src/db/tables/agent-versions.ts';
import { calls } from '../../src/db/tables/calls.ts';
import { dialPolicies } from '../../src/db/tables/dial-policies.ts';
import { folders } from '../../src/db/tables/folders.ts';
import { numberDials } from '../../src/db/tables/number-dials.ts';
import { suppressions } from '../../src/db/tables/suppressions.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { systemClock, type Clock } from '../../src/runtime/clock.ts';
import { randomIds } from '../../src/runtime/ids.ts';
import { insertOrganization } from '../../src/services/identity/organizations/create.ts';
import { insertCalls, type CallOwner } from './call-rows.ts';
import { insertCampaign, insertDirectory } from './campaign-rows.ts';
import { threeStepDefinition } from './definitions.ts';
import { insertDelivery } from './delivery-rows.ts';
import { testSecrets } from './secrets.ts';
import { insertConnection } from './telephony.ts';
import { insertTurn } from './turn-rows.ts';

/** Databases that have a neighbor, and those that stay without one. */
const settled = new WeakSet<DataSource>();

/** After the clock of every test: what waits until then is never overdue. */
const never = new Date('2100-01-01T00:00:00.000Z');

/** Numbers that tests dial (campaign-world, campaign-rows, voice-world). */
const dialedNumbers = ['14155550001', '14155550002', '12025551001', '12025551002', '15551230001'];

/** Lets a suite have a database in which its own organizations are the only ones. */
export const keepWithoutNeighbor = (db: DataSource): void => void settled.add(db);

/**
 * Inserts a second organization, the neighbor, into a database that has none yet, so that a query without its
 * organization finds too much, and a test fails. The neighbor talks, campaigns, waits for a webhook and
 * suppresses the numbers that tests dial; its dialing is stopped. What reconciliation compares across
 * organizations is never due, so that background work leaves it alone.
 */
export async function addNeighbor(db: DataSource, clock: Clock = systemClock): Promise<void> {
  if (settled.has(db)) return;
  settled.add(db);
  await inTransaction(db, async (tx) => {
    const { organizationId } = await insertOrganization(tx, {
      ctx: {
        actor: { kind: 'system', name: 'test' },
        db,
        clock,
        ids: randomIds,
        log: pino({ level: 'silent' }),
      },
      secrets: testSecrets,
      input: { name: 'Neighbor', email: `${randomUUID()}@neighbor.test`, keyName: 'Neighbor key' },
    });
    const owner = await insertAgent(tx, organizationId, clock.now());
    const live = { callId: await insertTalks(tx, owner, clock), at: clock.now() };
    await insertDialing(tx, owner, live);
    await keepFromDialing(tx, owner, live);
  });
}

async function insertAgent(tx: EntityManager, organizationId: number, at: Date): Promise<CallOwner> {
  const folder = await insertRow(tx, folders, {
    organizationId,
    name: 'Neighbor folder',
    createdAt: at,
    updatedAt: at,
  });
  const agent = await insertRow(tx, agents, {
    uuid: randomUUID(),
    organizationId,
    name: 'Neighbor agent',
    state: 'active' as const,
    folderId: folder.id,
    dispositionCodes: [],
    publishedVersionId: null,
    draftVersionId: null,
    lastVersionNumber: 1,
    createdAt: at,
    updatedAt: at,
  });
  const version = await insertRow(tx, agentVersions, {
    organizationId,
    agentId: agent.id,
    number: 1,
    state: 'published' as const,
    definition: threeStepDefinition({ webhook: false }),
    settings: {},
    testValues: {},
    definitionSha256: '0'.repeat(64),
    note: null,
    createdAt: at,
    publishedAt: at,
  });
  await updateRows(tx, agents, {
    where: { id: agent.id, organizationId },
    change: { publishedVersionId: version.id },
  });
  return { organizationId, agentId: agent.id, versionId: version.id };
}

/** An ended call, whose webhook waits, and a live one, both with a turn; answers the live one. */
async function insertTalks(db: EntityManager, owner: CallOwner, clock: Clock): Promise<number> {
  const at = clock.now();
  const ctx = { db, organizationId: owner.organizationId, clock };
  const phone = { mode: 'telnyx', channel: 'phone', direction: 'outbound', isTest: false } as const;
  const begun = { ...phone, createdAt: at, startedAt: at, answeredAt: at };
  const [ended = 0, live = 0] = await insertCalls(
    db,
    owner,
    { ...begun, name: 'Neighbor ended', source: 'api_prod', endedAt: at, costUsd: 1 },
    { ...begun, name: 'Neighbor live', source: 'campaign', state: 'talking', createdAt: never },
  );
  await insertTurn(ctx, ended, 'The neighbor said');
  await insertTurn(ctx, live, 'The neighbor says');
  await insertDelivery(
    ctx,
    { callId: ended, agentId: owner.agentId },
    { attemptCount: 1, createdAt: at, nextAttemptAt: never },
  );
  return live;
}

/** A running campaign with one row in the live call and one that is due, on the default connection. */
async function insertDialing(
  db: EntityManager,
  { organizationId, agentId }: CallOwner,
  { callId, at }: { callId: number; at: Date },
): Promise<void> {
  const { configurationId, numberIds } = await insertConnection(db, organizationId, {
    name: 'Neighbor line',
    isDefaultOutbound: true,
  });
  const processing = { callId, phoneNumberId: numberIds[0] ?? null, claimedUntil: never, attempts: 1 };
  const campaign = await insertCampaign(
    db,
    await insertDirectory(db, organizationId, { name: 'Neighbor contacts', rows: 2 }),
    {
      agentId,
      configurationId,
      name: 'Neighbor campaign',
      state: 'running',
      waitReason: 'stopped',
      wantsLinesUntil: never,
      breakerSince: never,
      createdAt: at,
      startedAt: at,
      targets: [
        { rowNumber: 1, state: 'processing', ...processing },
        { rowNumber: 2, state: 'waiting', dueAt: at, attempts: 1, spentAttempts: 1, outcome: 'no_answer' },
      ],
    },
  );
  await updateRows(db, calls, { where: { id: callId, organizationId }, change: { campaignId: campaign.id } });
}

async function keepFromDialing(
  db: EntityManager,
  { organizationId }: CallOwner,
  { callId, at }: { callId: number; at: Date },
): Promise<void> {
  const numbers = dialedNumbers.map((phone) => ({ organizationId, phone }));
  const suppressed = { source: 'api' as const, reason: 'Neighbor', createdByUserId: null, createdAt: at };
  await insertRows(
    db,
    suppressions,
    numbers.map((each) => ({ ...each, ...suppressed, callId: null })),
  );
  await insertRows(db, numberDials, [
    { organizationId, phone: dialedNumbers[0] ?? '', callId, dialedAt: at },
  ]);
  await insertRows(db, dialPolicies, [
    {
      organizationId,
      policy: {},
      stoppedAt: at,
      stoppedByUserId: null,
      operatorStoppedAt: null,
      paceTokens: 0,
      paceAt: at,
      updatedAt: at,
    },
  ]);
}
