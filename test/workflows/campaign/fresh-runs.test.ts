import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { campaignTargets } from '../../../src/db/tables/campaign-targets.ts';
import type { CampaignRow } from '../../../src/db/tables/campaigns.ts';
import {
  attemptsOf,
  callsOf,
  campaignOf,
  endCall,
  insertCampaign,
  targetsOf,
} from '../../support/campaign-world.ts';
import { createCallWorld, type CallWorld } from '../../support/call-world.ts';
import { closedForDays, startPacer, type Pacer } from '../../support/pacer.ts';
import { createGate, createScriptedLlm, type Gate } from '../../support/scripted-llm.ts';
import { until } from '../../support/until.ts';

let world: CallWorld;
let pacer: Pacer;
/** Holds the starts of calls, and with them the activity that makes them. */
let held: Gate | null = null;

beforeAll(async () => {
  world = await createCallWorld({ llm: createScriptedLlm(), kind: 'mysql' });
  pacer = await startPacer(world, {
    deps: { calls: { startCall: async () => await held?.wait(), cancelCall: () => Promise.resolve('gone') } },
  });
});

afterAll(async () => {
  await pacer.stop();
  await world.close();
});

/** The first run of the campaign's Workflow, and the present one. */
async function runsOf(
  campaign: CampaignRow,
): Promise<{ first: string; present: string; attention: unknown }> {
  const description = await pacer.handleOf(campaign).describe();
  const { firstRunId, execution } = description.raw.workflowExecutionInfo ?? {};
  return {
    first: firstRunId ?? '',
    present: execution?.runId ?? '',
    attention: description.searchAttributes['NeedsAttention']?.[0],
  };
}

const endOpen = async (campaign: CampaignRow) => {
  for (const call of (await callsOf(world.ctx, campaign)).filter(({ state }) => state === 'pending'))
    await endCall(world.ctx, call);
};

describe('a campaign whose history has become long', () => {
  test('continues in fresh runs: every row is dialed as its plan says, and outcomes add up to the rows', async () => {
    const { ctx } = world;
    const campaign = await pacer.start(
      await insertCampaign(ctx, { contacts: 40, numbers: 3, settings: { retry_config: { enabled: false } } }),
      { paceMs: 200, activitiesPerRun: 2 },
    );
    const runs = new Set<string>();
    await until('its end', async () => {
      runs.add((await runsOf(campaign)).present);
      await endOpen(campaign);
      return (await campaignOf(ctx, campaign)).state === 'completed';
    });
    await expect(pacer.handleOf(campaign).result()).resolves.toEqual({ state: 'completed' });
    expect(runs.size).toBeGreaterThan(2);
    expect((await targetsOf(ctx, campaign)).map(({ outcome, attempts }) => `${outcome} ${attempts}`)).toEqual(
      Array.from({ length: 40 }, () => 'busy 1'),
    );
    expect(await attemptsOf(ctx, campaign)).toHaveLength(40);
  });

  // guarantee: campaign-continues-as-new
  test('keeps a pause that comes in the last activity of a run, and a resume, in the next run', async () => {
    const { ctx } = world;
    const gate = createGate();
    held = gate;
    const campaign = await pacer.start(
      await insertCampaign(ctx, { contacts: 3, numbers: 1, settings: { retry_config: { enabled: false } } }),
      { paceMs: 200, activitiesPerRun: 1 },
    );
    await gate.reached;
    await pacer.change(campaign, { state: 'paused' });
    held = null;
    gate.open();
    await pacer.stands(campaign, 'paused');
    const { first, present } = await runsOf(campaign);
    expect(present).not.toBe(first);
    await endOpen(campaign);
    expect(await callsOf(ctx, campaign)).toHaveLength(1);
    await pacer.change(campaign, { state: 'running' });
    await until('its end', async () => {
      await endOpen(campaign);
      return (await campaignOf(ctx, campaign)).state === 'completed';
    });
    expect(await attemptsOf(ctx, campaign)).toHaveLength(3);
  });

  test('loses no wake-up in any run, however close to its end: the earlier change is read', async () => {
    const { ctx } = world;
    const campaign = await pacer.start(
      await insertCampaign(ctx, { contacts: 1, settings: { schedule_config: closedForDays } }),
      { activitiesPerRun: 2 },
    );
    for (let turn = 0; turn < 12; turn += 1) {
      const state = turn % 2 === 0 ? 'paused' : 'running';
      await pacer.change(campaign, { state });
      await pacer.stands(campaign, state);
    }
    const { first, present } = await runsOf(campaign);
    expect(present).not.toBe(first);
    await pacer.change(campaign, { stopMode: 'finish' });
    await expect(pacer.handleOf(campaign).result()).resolves.toEqual({ state: 'completed' });
  });

  // guarantee: needs-attention-survives-new-run
  test('clears the need for attention of one run in the next when the cause is gone', async () => {
    const { ctx } = world;
    const campaign = await pacer.start(
      await insertCampaign(ctx, { contacts: 1, settings: { schedule_config: { slots: [] } } }),
      { activitiesPerRun: 1 },
    );
    await until('the need', async () => (await runsOf(campaign)).attention === true);
    await ctx.db
      .getRepository(campaignTargets)
      .update({ campaignId: campaign.id }, { state: 'failed', outcome: 'canceled' });
    await pacer.change(campaign, { state: 'running' });
    await pacer.handleOf(campaign).result();
    await until('no attention is needed', async () => (await runsOf(campaign)).attention === false);
    expect((await campaignOf(ctx, campaign)).state).toBe('completed');
  });
});
