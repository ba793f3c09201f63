import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { campaigns } from '../../../../src/db/tables/campaigns.ts';
import { createCampaignCounts } from '../../../../src/services/campaigns/records/counts.ts';
import { getCampaignProgress } from '../../../../src/services/campaigns/verbs/progress.ts';
import { insertCampaign, setPolicy } from '../../../support/campaign-world.ts';
import {
  createTestClock,
  createTestContext,
  createTestDatabase,
  databases,
  type TestDatabase,
} from '../../../support/database.ts';
import { insertOpenHost } from '../../../support/media/open-host.ts';
import { createPaceRounds } from '../../../support/pace-rounds.ts';

describe.each(databases)('the estimated end of a campaign, on %s', (kind) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    await insertOpenHost(database.db, { maxCalls: 1000, leaseExpiresAt: new Date('2036-01-01T00:00:00Z') });
  });
  afterAll(() => database.drop());

  test('follows the rows that ended recently, within the hours; there is none during a pause or before some rows have ended', async () => {
    const clock = createTestClock('2026-11-23T17:00:00.000Z'); // a Monday
    const ctx = await createTestContext(database.db, { clock });
    await setPolicy(ctx, { startsPerSecond: 1000 });
    const paced = createPaceRounds(ctx, clock);
    const slots = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
      day_of_week,
      start_time: '09:00',
      end_time: '18:00',
    }));
    const campaign = await insertCampaign(ctx, {
      contacts: 100,
      numbers: 10,
      settings: { schedule_config: { timezone: 'UTC', slots }, retry_config: { enabled: false } },
    });
    const estimated = async () =>
      (
        await getCampaignProgress({
          ctx,
          deps: { campaignCounts: createCampaignCounts(ctx.db, ctx.clock) },
          input: { id: campaign.id },
        })
      ).estimated_completion_at;
    expect(await estimated()).toBeNull();
    // Ten rows every five minutes, so the remaining fifty take some twenty-five.
    for (let round = 0; round < 5; round += 1) {
      await paced.roundAndEnd(campaign);
      clock.advance(300_000);
    }
    const soon = new Date((await estimated()) ?? 0).getTime() - clock.now().getTime();
    expect(soon).toBeGreaterThan(15 * 60_000);
    expect(soon).toBeLessThan(40 * 60_000);
    clock.set(new Date('2026-11-23T22:00:00.000Z'));
    expect(
      new Date((await estimated()) ?? 0).getTime() - new Date('2026-11-24T09:00:00.000Z').getTime(),
    ).toBe(soon);
    await ctx.db.getRepository(campaigns).update({ id: campaign.id }, { state: 'paused' });
    expect(await estimated()).toBeNull();
  });
});
