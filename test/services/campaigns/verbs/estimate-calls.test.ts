import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { agents } from '../../../../src/db/tables/agents.ts';
import { calls } from '../../../../src/db/tables/calls.ts';
import { campaignTargets } from '../../../../src/db/tables/campaign-targets.ts';
import { campaigns, type CampaignRow } from '../../../../src/db/tables/campaigns.ts';
import { directories } from '../../../../src/db/tables/directories.ts';
import { inTransaction } from '../../../../src/db/transaction.ts';
import type { CampaignSettings } from '../../../../src/domain/campaign/settings.ts';
import { estimateCampaign, estimateRest } from '../../../../src/services/campaigns/index.ts';
import { createCampaignCounts } from '../../../../src/services/campaigns/records/counts.ts';
import { suppress } from '../../../../src/services/contacts/index.ts';
import type { ServiceContext } from '../../../../src/services/kernel/context.ts';
import { insertCalls, lasting } from '../../../support/call-rows.ts';
import { insertCampaign, phoneOf, plainSettings, setPolicy } from '../../../support/campaign-world.ts';
import {
  createTestClock,
  createTestContext,
  createTestDatabase,
  databases,
  type TestClock,
  type TestDatabase,
} from '../../../support/database.ts';
import { insertOpenHost } from '../../../support/media/open-host.ts';
import { createPaceRounds } from '../../../support/pace-rounds.ts';
import { createFakeCarrier } from '../../../support/telephony.ts';

const zones = ['America/New_York', 'America/Los_Angeles'];
const hours = (start: string, end: string): Partial<CampaignSettings> => ({
  schedule_config: {
    timezone: 'UTC',
    slots: [0, 1, 2, 3, 4].map((day_of_week) => ({ day_of_week, start_time: start, end_time: end })),
  },
});
const ofContacts = { rules: { window_zone: 'contact' } } satisfies Partial<CampaignSettings>;

describe.each(databases)('the estimate of a campaign, on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;
  let clock: TestClock;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    await insertOpenHost(database.db, { maxCalls: 1000, leaseExpiresAt: new Date('2036-01-01T00:00:00Z') });
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    clock = createTestClock('2026-11-23T15:00:00.000Z'); // a Monday, 10:00 in New York
    ctx = await createTestContext(database.db, { clock });
    await setPolicy(ctx, { startsPerSecond: 100 });
  });

  const depsNow = () => ({
    campaignCounts: createCampaignCounts(ctx.db, ctx.clock),
    carriers: new Map([['telnyx', createFakeCarrier()]]),
  });
  const estimateOf = async (
    { directoryId, agentId, configurationId }: CampaignRow,
    settings: Partial<CampaignSettings> = {},
  ) => {
    const { fileKey } = await ctx.db.getRepository(directories).findOneByOrFail({ id: directoryId });
    return await estimateCampaign({
      ctx,
      deps: depsNow(),
      input: { fileKey, agentId, configurationId, settings: { ...plainSettings, ...settings } },
    });
  };
  const restOf = ({ id }: CampaignRow) => estimateRest({ ctx, deps: depsNow(), input: { id } });
  /** Two thirds of the contacts are in New York. */
  const contacts = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ zoneKey: zones[at % 3 === 2 ? 1 : 0] ?? '' }));
  const created = { state: 'created' as const, startedAt: null };

  test.each(['campaigns/999999/contacts.csv', 'contacts.csv', '%ºA\u0001'])(
    'knows no file with the key %s of somebody else, or of nobody',
    async (fileKey) => {
      const input = { fileKey, agentId: null, configurationId: null, settings: plainSettings };
      await expect(estimateCampaign({ ctx, deps: depsNow(), input })).rejects.toThrow('Directory not found');
    },
  );

  test('counts callable contacts by zone, and says when the hours of each let everybody be called once', async () => {
    const campaign = await insertCampaign(ctx, {
      contacts: [...contacts(30), { state: 'duplicate' as const }, { state: 'do_not_call' as const }],
      numbers: 3,
      row: created,
    });
    const estimated = await estimateOf(campaign, { ...ofContacts, ...hours('09:00', '17:00') });
    // 0.4 × 90 s + 0.6 × 25 s = 51 s, so 20 calls on 3 lines take 340 s, and 10 take 170 s.
    expect(estimated).toMatchObject({
      rows: 30,
      lines: 3,
      lines_limited_by: 'numbers',
      begins_at: '2026-11-23T15:00:00.000000Z',
      all_called_at: '2026-11-23T17:02:50.000000Z',
      dialing_seconds: 510,
      unknown_because: null,
      assumptions: { answered_share: 0.4, answered_seconds: 90, unanswered_seconds: 25, calls: 0 },
    });
    expect(estimated.zones).toEqual([
      {
        time_zones: ['America/New_York'],
        rows: 20,
        is_open: true,
        opens_at: null,
        closes_at: '2026-11-23T22:00:00.000000Z',
        all_called_at: '2026-11-23T15:05:40.000000Z',
      },
      {
        time_zones: ['America/Los_Angeles'],
        rows: 10,
        is_open: false,
        opens_at: '2026-11-23T17:00:00.000000Z',
        closes_at: null,
        all_called_at: '2026-11-23T17:02:50.000000Z',
      },
    ]);
  });

  test('leaves out numbers that were blocked after the check, and those that another campaign has called', async () => {
    const campaign = await insertCampaign(ctx, { contacts: 10, row: created });
    clock.advance(60_000);
    await inTransaction(ctx.db, (tx) =>
      suppress(tx, {
        organizationId: ctx.organizationId,
        phones: [phoneOf(1)],
        source: 'api',
        reason: 'asked',
        callId: null,
        createdByUserId: null,
        at: clock.now(),
      }),
    );
    const other = await insertCampaign(ctx, { contacts: 4, numbers: 4 });
    await createPaceRounds(ctx, clock).roundAndEnd(other);
    const called = await ctx.db
      .getRepository(campaignTargets)
      .countBy({ campaignId: other.id, outcome: 'busy' as const });
    expect(called).toBeGreaterThan(1);
    expect(await estimateOf(campaign)).toMatchObject({ rows: 9, suppressed: 1, recently_called: 0 });
    const skipping = { rules: { skip_recently_called: 3 } };
    const estimated = await estimateOf(campaign, skipping);
    expect(estimated.suppressed).toBe(1);
    expect(estimated.recently_called).toBeGreaterThan(0);
    expect((estimated.rows ?? 0) + estimated.recently_called).toBe(9);
    clock.advance(4 * 86_400_000);
    expect(await estimateOf(campaign, skipping)).toMatchObject({ rows: 9, recently_called: 0 });
  });

  test("measures the agent's own calls once there are enough, and no test or incoming call", async () => {
    const campaign = await insertCampaign(ctx, { contacts: 1, row: created });
    const { publishedVersionId, draftVersionId } = await ctx.db
      .getRepository(agents)
      .findOneByOrFail({ id: campaign.agentId });
    const owner = {
      organizationId: ctx.organizationId,
      agentId: campaign.agentId,
      versionId: publishedVersionId ?? draftVersionId ?? 0,
    };
    const dialed = (seconds: number, isAnswered: boolean) => {
      const times = lasting(seconds, clock.now());
      return {
        ...times,
        channel: 'phone' as const,
        direction: 'outbound' as const,
        isTest: false,
        answeredAt: isAnswered ? clock.now() : null,
      };
    };
    const many = (count: number, call: ReturnType<typeof dialed>) =>
      Array.from({ length: count }, () => call);
    await insertCalls(ctx.db, owner, ...many(9, dialed(20, false)), ...many(10, dialed(200, true)), {
      ...dialed(999, true),
      isTest: true,
    });
    expect((await estimateOf(campaign)).assumptions.calls).toBe(0);
    await insertCalls(ctx.db, owner, ...many(21, dialed(20, false)), {
      ...dialed(999, true),
      direction: 'inbound',
    });
    expect((await estimateOf(campaign)).assumptions).toEqual({
      answered_share: 0.25,
      answered_seconds: 200,
      unanswered_seconds: 20,
      calls: 40,
    });
    expect(await ctx.db.getRepository(calls).countBy({ agentId: campaign.agentId })).toBe(42);
  });

  test('says why it cannot tell', async () => {
    const campaign = await insertCampaign(ctx, { contacts: 2, row: created });
    const because = async (settings: Partial<CampaignSettings>) =>
      (await estimateOf(campaign, settings)).unknown_because;
    expect(await because({})).toBeNull();
    expect(await because({ schedule_config: { slots: [] } })).toBe('hours_never_open');
    expect(await because({ rules: { from_phone_number_ids: [1] } })).toBe('no_lines');
    await ctx.db.getRepository(directories).update({ id: campaign.directoryId }, { state: 'uploaded' });
    expect(await because({})).toBe('not_checked');
    expect((await estimateOf(campaign)).rows).toBeNull();
    const empty = await insertCampaign(ctx, { contacts: [{ state: 'invalid' }], row: created });
    expect((await estimateOf(empty)).unknown_because).toBe('nobody');
    const elsewhere = { ...campaign, configurationId: 999_999_999 };
    await ctx.db.getRepository(directories).update({ id: campaign.directoryId }, { state: 'ready' });
    expect((await estimateOf(elsewhere)).unknown_because).toBe('no_connection');
  });

  test('of a running campaign counts what is left, until the last row that waits is due', async () => {
    const campaign = await insertCampaign(ctx, {
      contacts: 20,
      numbers: 5,
      settings: { retry_config: { enabled: true, max_retries: 1, retry_delay_seconds: 3600 } },
    });
    expect((await restOf(campaign)).rows).toBe(20);
    await createPaceRounds(ctx, clock).roundAndEnd(campaign);
    const states = async (state: 'queued' | 'waiting') =>
      await ctx.db.getRepository(campaignTargets).countBy({ campaignId: campaign.id, state });
    expect(await states('waiting')).toBe(5);
    const left = await restOf(campaign);
    expect(left).toMatchObject({ rows: 20, unknown_because: null });
    const dueAt = clock.now().getTime() + 3600_000;
    expect(new Date(left.all_called_at ?? 0).getTime()).toBeGreaterThanOrEqual(dueAt - 60_000);
    await ctx.db.getRepository(campaigns).update({ id: campaign.id }, { state: 'completed' });
    expect(await restOf(campaign)).toMatchObject({ rows: 0, unknown_because: 'over', all_called_at: null });
  });
});
