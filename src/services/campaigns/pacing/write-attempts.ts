import { In, type EntityManager } from 'typeorm';
import { findRows, getRow, insertRows, upsertRows } from '../../../db/rows.ts';
import { calls, type CallRow } from '../../../db/tables/calls.ts';
import { campaignAttempts } from '../../../db/tables/campaign-attempts.ts';
import { campaignTargets, type CampaignTargetRow } from '../../../db/tables/campaign-targets.ts';
import type { CampaignRow } from '../../../db/tables/campaigns.ts';
import { contacts } from '../../../db/tables/contacts.ts';
import { directories } from '../../../db/tables/directories.ts';
import { numberDials } from '../../../db/tables/number-dials.ts';
import { campaignCallContext, campaignCallName } from '../../../domain/campaign/call-context.ts';
import type { TargetOutcome } from '../../../domain/campaign/outcome.ts';
import { timeoutsMs } from '../../../domain/declaration.ts';
import { InvariantError } from '../../../domain/errors.ts';
import { freshCall } from '../../calls/index.ts';
import { lastSpentOutcomes } from '../targets/last-spent.ts';
import type { Capacity, FreeNumber } from './capacity.ts';
import type { PaceDeps } from './deps.ts';
import type { DialingVersion } from './version.ts';

/** A written attempt whose call is yet to be started. */
export interface WrittenAttempt {
  call: CallRow;
  rowNumber: number;
  attemptNumber: number;
  /** The connection, and the number that the call shows. */
  configurationId: number;
  phoneNumberId: number;
}

interface Writing {
  deps: PaceDeps;
  campaign: CampaignRow;
  version: DialingVersion;
  capacity: Capacity;
  /** Locked; at most as many as there are numbers. */
  targets: CampaignTargetRow[];
  now: Date;
}

/**
 * Writes a call, an attempt and a dial for the caps for each row. The caller's transaction writes all of them
 * or none.
 */
export async function writeAttempts(tx: EntityManager, writing: Writing): Promise<WrittenAttempt[]> {
  const { campaign, capacity, targets, now } = writing;
  if (targets.length === 0) return [];
  const prepared = await prepare(tx, writing);
  await insertRows(
    tx,
    calls,
    prepared.map(({ call }) => call),
  );
  const ids = await readIds(
    tx,
    campaign.organizationId,
    prepared.map(({ call }) => call.uuid),
  );
  const attempts = prepared.map(
    ({ call, target, number }): WrittenAttempt & { target: CampaignTargetRow } => ({
      call: { ...call, id: idOf(ids, call.uuid) },
      target,
      rowNumber: target.rowNumber,
      attemptNumber: target.attempts + 1,
      configurationId: capacity.configurationId,
      phoneNumberId: number.id,
    }),
  );
  const { id: campaignId, organizationId } = campaign;
  await insertRows(
    tx,
    campaignAttempts,
    attempts.map(({ call, target, rowNumber, attemptNumber }) => ({
      campaignId,
      rowNumber,
      attemptNumber,
      organizationId,
      callId: call.id,
      because: target.outcome,
      begunAt: now,
      outcome: null,
      isSpent: null,
      settledAt: null,
    })),
  );
  await insertRows(
    tx,
    numberDials,
    attempts.map(({ call, target }) => ({
      organizationId,
      phone: target.phone,
      callId: call.id,
      dialedAt: now,
    })),
  );
  await begin(tx, attempts, now);
  return attempts.map(({ target: _, ...written }) => written);
}

interface Prepared {
  call: Omit<CallRow, 'id'>;
  target: CampaignTargetRow;
  number: FreeNumber;
}

async function prepare(
  tx: EntityManager,
  { deps, campaign, version, capacity, targets }: Writing,
): Promise<Prepared[]> {
  const { id, organizationId, directoryId, importNumber } = campaign;
  if (importNumber === null) throw new InvariantError('A campaign has rows before its contacts were read');
  const directory = await getRow(tx, directories, { id: directoryId, organizationId });
  const found = await findRows(tx, contacts, {
    directoryId,
    importNumber,
    organizationId,
    rowNumber: In(targets.map(({ rowNumber }) => rowNumber)),
  });
  const contactOf = new Map(found.map((contact) => [contact.rowNumber, contact]));
  const spent = await lastSpentOutcomes(tx, {
    campaignId: id,
    organizationId,
    rowNumbers: targets.flatMap(({ rowNumber, spentAttempts }) => (spentAttempts === 0 ? [] : [rowNumber])),
  });
  return targets.map((target, index) => {
    const [contact, number] = [contactOf.get(target.rowNumber), capacity.numbers[index]];
    if (contact === undefined || number === undefined)
      throw new InvariantError('A row of a campaign has no contact, or no number is left for it');
    const initialContext = campaignCallContext({
      columns: directory.columns,
      mapping: directory.mapping,
      contact: { ...contact, phone: target.phone },
      campaignId: id,
      fileKey: directory.fileKey,
      provider: capacity.provider,
      callerNumber: number.address,
      configurationId: capacity.configurationId,
      retry: retryOf(target, spent.get(target.rowNumber) ?? target.outcome),
    });
    const beginning = {
      name: campaignCallName({ campaignId: id, rowNumber: target.rowNumber }),
      mode: capacity.provider,
      channel: 'phone' as const,
      direction: 'outbound' as const,
      source: 'campaign' as const,
      state: 'pending' as const,
      isTest: false,
      configurationId: capacity.configurationId,
      phoneNumberId: number.id,
      callerNumber: number.address,
      calledNumber: target.phone,
      initialContext,
      annotations: {},
    };
    return {
      call: {
        ...freshCall({ clock: deps.clock, ids: deps.ids, organizationId }, version, beginning),
        campaignId: id,
      },
      target,
      number,
    };
  });
}

/**
 * Contract 11.6: a retry of the last spent attempt. Later attempts that did not ring, as in a pause, do not
 * count.
 */
function retryOf(
  { spentAttempts }: CampaignTargetRow,
  because: TargetOutcome | null,
): Parameters<typeof campaignCallContext>[0]['retry'] {
  return spentAttempts === 0 || because === null ? null : { number: spentAttempts, because };
}

async function readIds(
  tx: EntityManager,
  organizationId: number,
  uuids: string[],
): Promise<Map<string, number>> {
  const rows = await findRows(tx, calls, { organizationId, uuid: In(uuids) }, { select: ['id', 'uuid'] });
  return new Map(rows.map(({ id, uuid }) => [uuid, id]));
}

function idOf(ids: Map<string, number>, uuid: string): number {
  const id = ids.get(uuid);
  if (id === undefined) throw new InvariantError('A call that was written is missing');
  return id;
}

/** One statement writes all rows, which exist and are locked. */
async function begin(
  tx: EntityManager,
  attempts: (WrittenAttempt & { target: CampaignTargetRow })[],
  now: Date,
): Promise<void> {
  const claimedUntil = new Date(now.getTime() + timeoutsMs.campaignClaim);
  const rows = attempts.map(({ call, target, attemptNumber, phoneNumberId }): CampaignTargetRow => ({
    ...target,
    state: 'processing',
    dueAt: null,
    waitReason: null,
    attempts: attemptNumber,
    callId: call.id,
    phoneNumberId,
    claimedUntil,
  }));
  await upsertRows(tx, campaignTargets, rows, [
    'state',
    'dueAt',
    'waitReason',
    'attempts',
    'callId',
    'phoneNumberId',
    'claimedUntil',
  ]);
}
