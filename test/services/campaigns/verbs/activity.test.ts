import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { campaignAttempts } from '../../../../src/db/tables/campaign-attempts.ts';
import { NotFoundError } from '../../../../src/domain/errors.ts';
import { getCampaignActivity, resumeDialing, stopDialing } from '../../../../src/services/campaigns/index.ts';
import { attemptsOf, insertCampaign } from '../../../support/campaign-world.ts';
import {
  createTestClock,
  createTestContext,
  createTestDatabase,
  databases,
  type TestDatabase,
} from '../../../support/database.ts';
import { insertOpenHost } from '../../../support/media/open-host.ts';
import { createPaceRounds } from '../../../support/pace-rounds.ts';

describe.each(databases)('the activity of a campaign, on %s', (kind) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    await insertOpenHost(database.db, { maxCalls: 1000, leaseExpiresAt: new Date('2036-01-01T00:00:00Z') });
  });
  afterAll(() => database.drop());

  test('counts ended calls by interval without gaps, and of them those in which a person was spoken to', async () => {
    const clock = createTestClock('2026-11-23T17:00:00.000Z');
    const ctx = await createTestContext(database.db, { clock });
    const paced = createPaceRounds(ctx, clock);
    const campaign = await insertCampaign(ctx, {
      contacts: 5,
      settings: { retry_config: { enabled: false } },
    });
    const activity = async (bucketSeconds: number, limit: number, id = campaign.id) =>
      await getCampaignActivity({ ctx, input: { id, bucketSeconds, limit } });
    expect((await activity(300, 72)).buckets).toEqual([]);
    // One number, so one call at a time.
    for (const minutes of [1, 2, 9, 3, 0]) {
      await paced.roundAndEnd(campaign);
      clock.advance(minutes * 60_000);
    }
    const [first, , , fourth] = await attemptsOf(ctx, campaign);
    const change = async (callId: number | undefined, outcome: 'reached' | 'capacity') =>
      await ctx.db.getRepository(campaignAttempts).update({ callId: callId ?? 0 }, { outcome });
    await change(first?.callId, 'reached');
    await change(fourth?.callId, 'capacity'); // rang nobody
    const bucket = (time: string, calls: number, reached: number) => ({
      from: `2026-11-23T17:${time}:00.000000Z`,
      calls,
      reached,
    });
    expect(await activity(300, 72)).toEqual({
      bucket_seconds: 300,
      buckets: [bucket('00', 3, 1), bucket('05', 0, 0), bucket('10', 0, 0), bucket('15', 1, 0)],
      dialing: [],
    });
    expect((await activity(300, 2)).buckets).toEqual([bucket('10', 0, 0), bucket('15', 1, 0)]);
    await expect(activity(300, 2, campaign.id + 1000)).rejects.toThrow(NotFoundError);
  });

  test('says when all dialing was stopped and resumed, once for each change, within its intervals and organization', async () => {
    const clock = createTestClock('2026-11-23T17:00:00.000Z');
    const ctx = await createTestContext(database.db, { clock });
    const stranger = await createTestContext(database.db, { clock });
    await stopDialing({ ctx });
    await resumeDialing({ ctx });
    clock.advance(60 * 60_000);
    const campaign = await insertCampaign(ctx, { contacts: 1 });
    await createPaceRounds(ctx, clock).roundAndEnd(campaign);
    clock.advance(60_000);
    for (const turn of [stopDialing, stopDialing, resumeDialing]) {
      await turn({ ctx });
      clock.advance(1000);
    }
    await stopDialing({ ctx: stranger });
    const { dialing } = await getCampaignActivity({
      ctx,
      input: { id: campaign.id, bucketSeconds: 300, limit: 72 },
    });
    expect(dialing.map(({ at, is_stopped: isStopped }) => [at, isStopped])).toEqual([
      ['2026-11-23T18:01:00.000000Z', true],
      ['2026-11-23T18:01:02.000000Z', false],
    ]);
  });
});
