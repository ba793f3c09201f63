import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { calls } from '../../../../src/db/tables/calls.ts';
import { campaigns, type CampaignRow } from '../../../../src/db/tables/campaigns.ts';
import { createCampaignCounts, redialCampaign } from '../../../../src/services/campaigns/index.ts';
import type { ServiceContext } from '../../../../src/services/kernel/context.ts';
import {
  attemptsOf,
  campaignOf,
  endCall,
  insertCampaign,
  setPolicy,
  targetsOf,
} from '../../../support/campaign-world.ts';
import {
  createTestClock,
  createTestContext,
  createTestDatabase,
  databases,
  type TestClock,
  type TestDatabase,
} from '../../../support/database.ts';
import { insertOpenHost } from '../../../support/media/open-host.ts';
import { createPaceRounds, type PaceRounds } from '../../../support/pace-rounds.ts';

describe.each(databases)('a busy row whose next attempt was held back by a pause, on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;
  let clock: TestClock;
  let paced: PaceRounds;
  let campaign: CampaignRow;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    await insertOpenHost(database.db, { maxCalls: 1000, leaseExpiresAt: new Date('2036-01-01T00:00:00Z') });
  });
  afterAll(() => database.drop());

  beforeEach(async () => {
    clock = createTestClock('2026-11-23T10:00:00.000Z');
    ctx = await createTestContext(database.db, { clock });
    await setPolicy(ctx, { startsPerSecond: 1000 });
    paced = createPaceRounds(ctx, clock);
    campaign = await insertCampaign(ctx, {
      contacts: 1,
      settings: { retry_config: { retry_delay_seconds: 30 } },
    });
    await paced.round(campaign);
    for (const call of await paced.live(campaign)) {
      await endCall(ctx, call);
      await ctx.db
        .getRepository(calls)
        .update({ id: call.id }, { tags: ['not_connected', 'telephony_busy'] });
    }
    clock.advance(60_000);
    await paced.round(campaign);
    for (const call of await paced.live(campaign))
      await endCall(ctx, call, {
        disposition: 'canceled',
        retryClass: 'none',
        notDialed: 'campaign_not_running',
      });
    clock.advance(60_000);
  });

  test('is called again as a retry of the busy attempt, with the reason of contract 11.6', async () => {
    expect((await targetsOf(ctx, campaign))[0]).toMatchObject({
      state: 'waiting',
      outcome: 'not_dialed',
      spentAttempts: 1,
      attempts: 2,
    });
    await paced.round(campaign);
    const [call] = await paced.live(campaign);
    expect(call?.initialContext).toMatchObject({ is_retry: true, retry_attempt: 1, retry_reason: 'busy' });
    expect((await attemptsOf(ctx, campaign)).map(({ because }) => because)).toEqual([
      null,
      'busy',
      'not_dialed',
    ]);
  });

  // guarantee: stopped-rows-end-like-exhausted-ones
  // guarantee: redial-finds-last-real-outcome
  test.each([
    ['its reason', { reasons: { voicemail: false, noAnswer: false, busy: true } }],
    ['its outcome', { outcomes: ['busy' as const] }],
  ])(
    'ends as busy, like a row without further attempts, when its campaign is stopped, and a redial of busy rows finds it, by %s',
    async (_, chosen) => {
      await ctx.db.getRepository(campaigns).update({ id: campaign.id }, { stopMode: 'finish' });
      expect(await paced.round(campaign)).toMatchObject({ kind: 'over' });
      expect((await targetsOf(ctx, campaign))[0]).toMatchObject({ state: 'processed', outcome: 'busy' });
      expect((await campaignOf(ctx, campaign)).state).toBe('completed');
      const again = await redialCampaign({
        ctx,
        deps: { campaignCounts: createCampaignCounts(ctx.db, ctx.clock) },
        input: { id: campaign.id, name: undefined, chosen, retry: undefined },
      });
      expect(again).toMatchObject({ total_rows: 1, parent_campaign_id: campaign.id });
    },
  );
});
