import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { CallRow } from '../../../../src/db/tables/calls.ts';
import { campaigns, type CampaignRow } from '../../../../src/db/tables/campaigns.ts';
import { phoneLegs, type PhoneLegRow } from '../../../../src/db/tables/phone-legs.ts';
import type { ServiceContext } from '../../../../src/services/kernel/context.ts';
import { hangUpCampaignCalls, resumeDialing, stopDialing } from '../../../../src/services/campaigns/index.ts';
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
  type TestClock,
  type TestDatabase,
} from '../../../support/database.ts';
import { insertOpenHost } from '../../../support/media/open-host.ts';
import { createPaceRounds, type PaceRounds } from '../../../support/pace-rounds.ts';

describe.each(databases)('when all dialing is stopped and calls are hung up, on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;
  let clock: TestClock;
  let rounds: PaceRounds;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    await insertOpenHost(database.db, { maxCalls: 100 });
  });

  afterAll(() => database.drop());

  beforeEach(async () => {
    clock = createTestClock('2026-11-23T10:00:00.000Z');
    ctx = await createTestContext(database.db, { clock });
    await setPolicy(ctx, { startsPerSecond: 1000 });
    rounds = createPaceRounds(ctx, clock);
  });

  /** Makes the call ring. `accepted`: the carrier confirmed that it took the dial. */
  async function rings(
    call: CallRow,
    { configurationId }: CampaignRow,
    { accepted }: { accepted: boolean },
  ): Promise<void> {
    const leg: Omit<PhoneLegRow, 'id'> = {
      organizationId: ctx.organizationId,
      callId: call.id,
      role: 'main',
      configurationId: configurationId ?? 0,
      reference: `${call.uuid}.m1`,
      callControlId: accepted ? `v3:${call.uuid}` : null,
      legId: null,
      sessionId: null,
      state: 'dialing',
      hangupCause: null,
      detection: null,
      dialedAt: clock.now(),
      answeredAt: null,
      endedAt: null,
      hangUpFrom: null,
      createdAt: clock.now(),
    };
    await ctx.db.getRepository(phoneLegs).insert(leg);
  }

  /** All calls end as canceled Workflows end them. */
  async function hangUp(campaign: CampaignRow): Promise<void> {
    const asked = new Set<string>();
    await hangUpCampaignCalls({
      ctx,
      deps: {
        calls: { cancelCall: (uuid) => Promise.resolve(asked.add(uuid).size > 0 ? 'delivered' : 'gone') },
      },
      input: { onlyUnanswered: true },
    });
    const written = await callsOf(ctx, campaign);
    expect(asked).toEqual(new Set(written.map(({ uuid }) => uuid)));
    for (const call of written)
      await endCall(ctx, call, { disposition: 'system_cancelled', retryClass: 'none' });
  }

  const shown = async (campaign: CampaignRow) =>
    (await targetsOf(ctx, campaign)).map(
      ({ state, outcome, spentAttempts }) => `${state} ${outcome} ${spentAttempts}`,
    );

  // guarantee: stopped-ringing-call-spends-no-attempt
  test('loses no row: rows that were not dialed or rang unanswered are called after the resume without a spent attempt, and rows in doubt are not called again', async () => {
    const campaign = await insertCampaign(ctx, { contacts: 3, numbers: 3 });
    await rounds.round(campaign);
    const [, ringing, inDoubt] = await callsOf(ctx, campaign);
    if (ringing === undefined || inDoubt === undefined) throw new Error('Not all rows were claimed');
    await rings(ringing, campaign, { accepted: true });
    await rings(inDoubt, campaign, { accepted: false });
    await stopDialing({ ctx });
    await hangUp(campaign);
    expect(await shown(campaign)).toEqual(['waiting not_dialed 0', 'waiting canceled 0', 'failed unknown 1']);
    clock.advance(120_000);
    expect(await rounds.round(campaign)).toMatchObject({ kind: 'goes_on', dialed: 0 });
    await resumeDialing({ ctx });
    expect(await rounds.round(campaign)).toMatchObject({ dialed: 2 });
    expect(
      (await attemptsOf(ctx, campaign)).map(({ rowNumber, attemptNumber, because }) => [
        rowNumber,
        attemptNumber,
        because,
      ]),
    ).toEqual([
      [1, 1, null],
      [1, 2, 'not_dialed'],
      [2, 1, null],
      [2, 2, 'canceled'],
      [3, 1, null],
    ]);
  });

  test('ends the hung-up rows of a campaign that is itself stopped', async () => {
    const campaign = await insertCampaign(ctx, { contacts: 2, numbers: 2 });
    await rounds.round(campaign);
    const [ringing] = await callsOf(ctx, campaign);
    if (ringing === undefined) throw new Error('No row was claimed');
    await rings(ringing, campaign, { accepted: true });
    await ctx.db.getRepository(campaigns).update({ id: campaign.id }, { stopMode: 'hang_up' });
    await hangUp(campaign);
    expect(await shown(campaign)).toEqual(['failed canceled 0', 'failed canceled 0']);
  });

  test('counts a hung-up conversation as one and does not call again', async () => {
    const campaign = await insertCampaign(ctx, { contacts: 1 });
    await rounds.round(campaign);
    await stopDialing({ ctx });
    for (const call of await callsOf(ctx, campaign))
      await endCall(ctx, call, {
        disposition: 'system_cancelled',
        retryClass: 'none',
        answeredAt: clock.now(),
        durationSeconds: 60,
      });
    expect(await shown(campaign)).toEqual(['processed reached 1']);
  });
});
