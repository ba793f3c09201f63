import { calls, type CallRow } from '../../src/db/tables/calls.ts';
import { campaigns, type CampaignRow } from '../../src/db/tables/campaigns.ts';
import { pace, type PaceDeps, type Paced } from '../../src/services/campaigns/index.ts';
import { planTargets } from '../../src/services/campaigns/pacing/plan-targets.ts';
import { syncCampaign } from '../../src/services/campaigns/pacing/sync.ts';
import type { ServiceContext } from '../../src/services/kernel/context.ts';
import { endCall } from './campaign-world.ts';
import type { TestClock } from './database.ts';
import { createFakeCarrierPort } from './fake-carrier.ts';
import { createInstantTimer } from './instant-timer.ts';

/** The pacer with the test's clock, over calls that exist only as rows. */
export interface PaceRounds {
  deps: PaceDeps;
  /** One round. Planning is complete before it, so that its claims do not depend on timing. */
  round: (campaign: CampaignRow) => Promise<Paced>;
  /** Live calls. */
  live: (campaign: CampaignRow) => Promise<CallRow[]>;
  /** A round, after which all its calls end: the line was busy. */
  roundAndEnd: (campaign: CampaignRow) => Promise<Paced>;
  /**
   * Runs until the campaign is over; between rounds the clock advances to the time that the pacer names.
   * Answers those times.
   */
  runToItsEnd: (campaign: CampaignRow) => Promise<string[]>;
}

/** `paceMs`: the maximum length of a round, by a timer that only its waits advance. */
export function createPaceRounds(
  ctx: ServiceContext,
  clock: TestClock,
  {
    paceMs = 60,
    limits = { calls: 100, inboundShare: 2 },
  }: { paceMs?: number; limits?: PaceDeps['limits'] } = {},
): PaceRounds {
  const deps: PaceDeps = {
    ...ctx,
    timer: createInstantTimer(),
    carriers: new Set(['telnyx']),
    accounts: () => createFakeCarrierPort(),
    calls: { startCall: () => Promise.resolve(), cancelCall: () => Promise.resolve('gone') },
    startImport: () => Promise.resolve(),
    limits,
  };
  const live: PaceRounds['live'] = async ({ id: campaignId, organizationId }) =>
    await ctx.db
      .getRepository(calls)
      .find({ where: { campaignId, organizationId, state: 'pending' }, order: { id: 'ASC' } });
  const round: PaceRounds['round'] = async ({ id, organizationId }) => {
    const ref = { campaignId: id, organizationId };
    const campaign = await ctx.db.getRepository(campaigns).findOneByOrFail({ id });
    if (campaign.importNumber === null) await syncCampaign({ deps, campaign });
    while ((await planTargets(deps, ref)) === 'more');
    return await pace({ deps, input: { ...ref, paceMs }, signal: new AbortController().signal });
  };
  const roundAndEnd: PaceRounds['roundAndEnd'] = async (campaign) => {
    const paced = await round(campaign);
    for (const call of await live(campaign)) await endCall(ctx, call);
    return paced;
  };
  return {
    deps,
    round,
    live,
    roundAndEnd,
    async runToItsEnd(campaign) {
      const moments: string[] = [];
      for (let rounds = 0; rounds < 100; rounds += 1) {
        const { kind, until } = await roundAndEnd(campaign);
        if (kind === 'over') return moments;
        if (until !== null && new Date(until) > clock.now()) {
          moments.push(until);
          clock.set(new Date(until));
        } else clock.advance(1000);
      }
      throw new Error('The campaign is not over after 100 rounds');
    },
  };
}
