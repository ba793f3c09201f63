import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { publishDraft, updateAgent } from '../../../../src/services/agents/index.ts';
import { createContactFiles } from '../../../../src/providers/contact-files/contact-files.ts';
import { createCampaignCounts, startCampaign } from '../../../../src/services/campaigns/index.ts';
import type { ServiceContext } from '../../../../src/services/kernel/context.ts';
import { idleCampaigns } from '../../../support/api-on-services.ts';
import { agentOf, callsOf, campaignOf, insertCampaign, setPolicy } from '../../../support/campaign-world.ts';
import {
  createTestClock,
  createTestContext,
  createTestDatabase,
  databases,
  type TestClock,
  type TestDatabase,
} from '../../../support/database.ts';
import { threeStepDefinition } from '../../../support/definitions.ts';
import { insertOpenHost } from '../../../support/media/open-host.ts';
import { createPaceRounds, type PaceRounds } from '../../../support/pace-rounds.ts';
import { createFakeCarrier } from '../../../support/telephony.ts';

describe.each(databases)('a campaign paced by its rules on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;
  let clock: TestClock;
  let paced: PaceRounds;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    await insertOpenHost(database.db, { maxCalls: 1000, leaseExpiresAt: new Date('2036-01-01T00:00:00Z') });
  });
  afterAll(() => database.drop());

  beforeEach(async () => {
    clock = createTestClock('2026-11-23T15:00:00.000Z'); // a Monday
    ctx = await createTestContext(database.db, { clock });
    await setPolicy(ctx, { startsPerSecond: 1000 });
    paced = createPaceRounds(ctx, clock);
  });

  test('gets the lines of its ramp, and more with every full minute since its start, however many are free', async () => {
    const campaign = await insertCampaign(ctx, {
      contacts: 20,
      numbers: 20,
      settings: { rules: { ramp: { lines: 2, each_minute: 3 } } },
    });
    const lines: number[] = [];
    for (const seconds of [0, 59, 60, 119, 120]) {
      clock.set(new Date(Date.UTC(2026, 10, 23, 15, 0, seconds)));
      await paced.round(campaign);
      lines.push((await paced.live(campaign)).length);
    }
    expect(lines).toEqual([2, 2, 5, 5, 8]);
  });

  test('with closing_window dials the rows whose hours close first, each zone in the order of the file', async () => {
    const schedule = {
      timezone: 'UTC',
      slots: [0, 1, 2, 3, 4].map((day_of_week) => ({ day_of_week, start_time: '09:00', end_time: '17:00' })),
    };
    const zones = [
      'America/New_York',
      'Europe/London',
      'Europe/Berlin',
      'America/New_York',
      'Asia/Tokyo',
      'Europe/Berlin',
    ];
    const campaign = await insertCampaign(ctx, {
      contacts: zones.map((zoneKey) => ({ zoneKey })),
      numbers: 1,
      settings: {
        schedule_config: schedule,
        rules: {
          window_zone: 'contact',
          start_order: 'closing_window',
          retry_plan: { busy: { waits_seconds: [], max_retries: 0 } },
        },
      },
    });
    for (let row = 1; row <= 5; row += 1) await paced.roundAndEnd(campaign);
    // It is 16:00 in Berlin, 15:00 in London, 10:00 in New York, and midnight in Tokyo.
    expect((await callsOf(ctx, campaign)).map(({ name }) => Number(name.split('-').at(-1)))).toEqual([
      3, 6, 2, 1, 4,
    ]);
  });

  // guarantee: pinned-campaign-keeps-version
  test.each([
    ['published', 'uses the one that is published at each dial', [1, 2]],
    ['pinned', 'keeps the one of its start', [1, 1]],
  ] as const)(
    'with the agent version %s %s, while a new version is published',
    async (agent_version, _, versions) => {
      const campaign = await insertCampaign(ctx, {
        contacts: 2,
        numbers: 1,
        row: { state: 'created', startedAt: null },
        settings: { rules: { agent_version, retry_plan: { busy: { waits_seconds: [], max_retries: 0 } } } },
      });
      const directories = {
        contactFiles: createContactFiles(),
        imports: {
          start: () => Promise.resolve('runs' as const),
          cancel: () => Promise.resolve('asked' as const),
        },
        maxBytes: 1,
      };
      await startCampaign({
        ctx,
        deps: {
          campaignRuns: idleCampaigns,
          campaignCounts: createCampaignCounts(ctx.db, ctx.clock),
          directories,
          carriers: new Map([['telnyx', createFakeCarrier()]]),
        },
        input: { id: campaign.id },
      });
      const first = (await agentOf(ctx, campaign)).publishedVersionId;
      await paced.roundAndEnd(campaign);
      await updateAgent({
        ctx,
        input: {
          agentId: campaign.agentId,
          definition: threeStepDefinition({
            greeting: 'A second version.',
            webhook: false,
            extraction: false,
          }),
        },
      });
      await publishDraft({ ctx, input: { agentId: campaign.agentId } });
      const second = (await agentOf(ctx, campaign)).publishedVersionId;
      expect(second).not.toBe(first);
      await paced.roundAndEnd(campaign);
      expect((await callsOf(ctx, campaign)).map(({ versionId }) => versionId)).toEqual(
        versions.map((version) => (version === 1 ? first : second)),
      );
      expect((await campaignOf(ctx, campaign)).versionId).toBe(agent_version === 'pinned' ? first : null);
    },
  );
});
