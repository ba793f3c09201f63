import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { CallRow } from '../../../../src/db/tables/calls.ts';
import { campaigns, type CampaignRow } from '../../../../src/db/tables/campaigns.ts';
import { campaignAttempts } from '../../../../src/db/tables/campaign-attempts.ts';
import { campaignTargets, type CampaignTargetRow } from '../../../../src/db/tables/campaign-targets.ts';
import type { ServiceContext } from '../../../../src/services/kernel/context.ts';
import {
  attemptsOf,
  callsOf,
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
  type TestDatabase,
} from '../../../support/database.ts';
import { insertOpenHost } from '../../../support/media/open-host.ts';
import { insertPhoneCall } from '../../../support/media/phone-call.ts';
import { createPaceRounds } from '../../../support/pace-rounds.ts';

describe.each(databases)('the end of a campaign call on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;
  let campaign: CampaignRow;
  let call: CallRow;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    await insertOpenHost(database.db, { maxCalls: 100 });
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    const clock = createTestClock('2026-11-23T10:00:00.000Z');
    ctx = await createTestContext(database.db, { clock });
    await setPolicy(ctx, { startsPerSecond: 1000 });
    campaign = await insertCampaign(ctx, { contacts: 1 });
    await createPaceRounds(ctx, clock).round(campaign);
    const [claimed] = await callsOf(ctx, campaign);
    if (claimed === undefined) throw new Error('No row was claimed');
    call = claimed;
  });

  const change = (row: Partial<CampaignTargetRow>) =>
    ctx.db.getRepository(campaignTargets).update({ campaignId: campaign.id }, row);
  const outcomes = async () => (await attemptsOf(ctx, campaign)).map(({ outcome }) => outcome);

  test('settles the row and its attempt, once', async () => {
    await endCall(ctx, call);
    const settled = await targetsOf(ctx, campaign);
    expect(settled).toMatchObject([{ state: 'waiting', outcome: 'busy', spentAttempts: 1 }]);
    await endCall(ctx, call, { disposition: 'no-answer', retryClass: 'no_answer' });
    expect(await targetsOf(ctx, campaign)).toEqual(settled);
    expect(await outcomes()).toEqual(['busy']);
  });

  test('leaves a row unchanged that is claimed for a newer attempt', async () => {
    const { callId: newer } = await insertPhoneCall(ctx, { campaignId: campaign.id });
    await change({ callId: newer, attempts: 2 });
    const claimed = await targetsOf(ctx, campaign);
    expect(claimed).toMatchObject([{ state: 'processing', callId: newer }]);
    await endCall(ctx, call);
    expect(await targetsOf(ctx, campaign)).toEqual(claimed);
    expect(await outcomes()).toEqual([null]);
  });

  test('leaves a row unchanged that was settled while its call ended', async () => {
    await change({ state: 'failed', outcome: 'suppressed' });
    const closed = await targetsOf(ctx, campaign);
    await endCall(ctx, call);
    expect(await targetsOf(ctx, campaign)).toEqual(closed);
    expect(await outcomes()).toEqual([null]);
  });

  test.each<[string, string, string]>([
    ['of a known person is dialed again', '14155550001', 'waiting not_dialed'],
    ['of an erased person is over', '', 'failed canceled'],
  ])('canceled by an operator: a row %s', async (_title, phone, becomes) => {
    await change({ phone });
    await endCall(ctx, call, { disposition: 'system_cancelled', retryClass: 'none' });
    expect((await targetsOf(ctx, campaign)).map(({ state, outcome }) => `${state} ${outcome}`)).toEqual([
      becomes,
    ]);
    expect(await ctx.db.getRepository(campaignAttempts).findBy({ campaignId: campaign.id })).toMatchObject([
      { isSpent: false },
    ]);
  });

  test('that an operator canceled: a row of a stopped campaign is over', async () => {
    await ctx.db.getRepository(campaigns).update({ id: campaign.id }, { stopMode: 'finish' });
    await endCall(ctx, call, { disposition: 'system_cancelled', retryClass: 'none' });
    expect(await targetsOf(ctx, campaign)).toMatchObject([{ state: 'failed', outcome: 'canceled' }]);
  });
});
