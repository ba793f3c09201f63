import { LessThan, type DataSource } from 'typeorm';
import { findRow, findRows, getRow, updateRows } from '../../../db/rows.ts';
import { agents } from '../../../db/tables/agents.ts';
import { agentVersions } from '../../../db/tables/agent-versions.ts';
import { calls, type CallRow } from '../../../db/tables/calls.ts';
import { campaignTargets, type CampaignTargetRow } from '../../../db/tables/campaign-targets.ts';
import type { CampaignRow } from '../../../db/tables/campaigns.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { timeoutsMs } from '../../../domain/declaration.ts';
import { factsOfCall } from '../targets/call-facts.ts';
import { settleTarget } from '../targets/settle-target.ts';
import type { PaceDeps } from './deps.ts';
import { startAttempts, type Startable } from './start-attempts.ts';

/** Rows per look. The others follow soon. */
const maxRows = 100;

/**
 * Checks the rows whose claim has expired. A call that has ended settles its row. A call that was never
 * started (a worker died between commit and start, or Temporal was unavailable) is started by the same id.
 * Any other call is running, or the reconciler ends it. Answers the number of such rows.
 */
export async function lookAfterLate({
  deps,
  campaign,
}: {
  deps: PaceDeps;
  campaign: Pick<CampaignRow, 'id' | 'uuid' | 'organizationId'>;
}): Promise<number> {
  const { id: campaignId, organizationId } = campaign;
  const late = await findRows(
    deps.db,
    campaignTargets,
    { campaignId, organizationId, state: 'processing', claimedUntil: LessThan(deps.clock.now()) },
    { take: maxRows },
  );
  const unstarted: Startable[] = [];
  for (const target of late) {
    const call =
      target.callId === null
        ? null
        : await findRow(deps.db.manager, calls, { id: target.callId, organizationId });
    // guarantee: unsettled-ended-call-settled-by-pacer
    if (call === null) await giveBack(deps, target);
    else if (call.state === 'ended' || call.state === 'refused') await settleLate(deps, call);
    else {
      await extend(deps, target);
      // guarantee: unstarted-call-started-by-next-round
      if (call.state === 'pending') unstarted.push(...(await startable(deps.db, target, call)));
    }
  }
  await startAttempts({ deps, campaignUuid: campaign.uuid, attempts: unstarted });
  return late.length;
}

async function settleLate({ db, clock }: PaceDeps, { id, organizationId }: CallRow): Promise<void> {
  await inTransaction(db, async (tx) => {
    const call = await getRow(tx, calls, { id, organizationId }, { isLocked: true });
    await settleTarget(tx, { call, facts: factsOfCall(call), at: call.endedAt ?? clock.now() });
  });
}

/**
 * The call was removed because the person was erased. So the row is over, and the person is not dialed again.
 */
async function giveBack(
  { db, clock }: PaceDeps,
  { campaignId, rowNumber, organizationId }: CampaignTargetRow,
): Promise<void> {
  const change = {
    state: 'failed' as const,
    outcome: 'canceled' as const,
    phoneNumberId: null,
    claimedUntil: null,
    settledAt: clock.now(),
  };
  await inTransaction(db, (tx) =>
    updateRows(tx, campaignTargets, {
      where: { campaignId, rowNumber, organizationId, state: 'processing' },
      change,
    }),
  );
}

async function extend(
  { db, clock }: PaceDeps,
  { campaignId, rowNumber, organizationId }: CampaignTargetRow,
): Promise<void> {
  const claimedUntil = new Date(clock.now().getTime() + timeoutsMs.campaignClaim);
  await inTransaction(db, (tx) =>
    updateRows(tx, campaignTargets, {
      where: { campaignId, rowNumber, organizationId, state: 'processing' },
      change: { claimedUntil },
    }),
  );
}

async function startable(
  db: DataSource,
  { rowNumber, attempts: attemptNumber, phoneNumberId }: CampaignTargetRow,
  call: CallRow,
): Promise<Startable[]> {
  const { organizationId, configurationId } = call;
  if (configurationId === null || phoneNumberId === null) return [];
  const agent = await getRow(db.manager, agents, { id: call.agentId, organizationId });
  const version = await getRow(db.manager, agentVersions, { id: call.versionId, organizationId });
  return [
    {
      written: { call, rowNumber, attemptNumber, configurationId, phoneNumberId },
      version: { agent, version },
    },
  ];
}
