import type { CampaignRow } from '../../src/db/tables/campaigns.ts';
import { campaignWorkflowId } from '../../src/domain/temporal-ids.ts';
import { callsOf, endCall, insertCampaign } from '../../test/support/campaign-world.ts';
import { createCallWorld, type CallWorld } from '../../test/support/call-world.ts';
import { closedForDays, startPacer, type Pacer } from '../../test/support/pacer.ts';
import { createScriptedLlm } from '../../test/support/scripted-llm.ts';
import { until } from '../../test/support/until.ts';
import type { Recording } from './recording.ts';

interface Stage extends Pacer {
  world: CallWorld;
  /** Whether every round fails. */
  fault: { isOn: boolean };
}

/** Each answers a campaign whose Workflow has ended or is about to end. */
const scenarios: Record<string, (stage: Stage) => Promise<CampaignRow>> = {
  async 'runs-to-completion'({ world, start }) {
    const campaign = await insertCampaign(world.ctx, {
      contacts: 3,
      numbers: 3,
      settings: { retry_config: { enabled: false } },
    });
    await start(campaign);
    for (const call of await until('the calls', async () =>
      (await callsOf(world.ctx, campaign)).length === 3 ? await callsOf(world.ctx, campaign) : undefined,
    ))
      await endCall(world.ctx, call);
    return campaign;
  },
  async 'sleeps-is-paused-resumed-and-stopped'({ world, start, change, stands }) {
    const campaign = await insertCampaign(world.ctx, {
      contacts: 2,
      settings: { schedule_config: closedForDays },
    });
    await start(campaign);
    await stands(campaign, 'running');
    await change(campaign, { state: 'paused' });
    await stands(campaign, 'paused');
    await change(campaign, { state: 'running' });
    await stands(campaign, 'running');
    await change(campaign, { stopMode: 'finish' });
    return campaign;
  },
  async 'hours-never-open'({ world, start, change, stands }) {
    const campaign = await insertCampaign(world.ctx, {
      contacts: 1,
      settings: { schedule_config: { slots: [] } },
    });
    await start(campaign);
    await stands(campaign, 'paused');
    await change(campaign, { stopMode: 'finish' });
    return campaign;
  },
  async 'continued-as-new'({ world, start, change, stands }) {
    const campaign = await insertCampaign(world.ctx, {
      contacts: 1,
      settings: { schedule_config: closedForDays },
    });
    await start(campaign, { activitiesPerRun: 3 });
    await stands(campaign, 'running');
    for (const state of ['paused', 'running', 'paused'] as const) {
      await change(campaign, { state });
      await stands(campaign, state);
    }
    await change(campaign, { stopMode: 'finish' });
    return campaign;
  },
  async 'woken-after-a-fault'({ world, start, change, stands, handleOf, fault }) {
    const campaign = await insertCampaign(world.ctx, {
      contacts: 1,
      settings: { schedule_config: closedForDays },
    });
    fault.isOn = true;
    await start(campaign, { paceMs: 200 });
    await until(
      'the fault is shown',
      async () => (await handleOf(campaign).describe()).searchAttributes['NeedsAttention']?.[0] === true,
      30_000,
    );
    fault.isOn = false;
    await change(campaign, { state: 'paused' });
    await stands(campaign, 'paused');
    await change(campaign, { stopMode: 'finish' });
    return campaign;
  },
  async terminated({ world, start, stands, handleOf }) {
    const campaign = await insertCampaign(world.ctx, {
      contacts: 1,
      settings: { schedule_config: closedForDays },
    });
    await start(campaign);
    await stands(campaign, 'running');
    await handleOf(campaign).terminate();
    return campaign;
  },
};

/** Campaigns whose calls the recorder itself ends. */
export async function openCampaigns(): Promise<Recording> {
  const world = await createCallWorld({ llm: createScriptedLlm() });
  const fault = { isOn: false };
  const pacer = await startPacer(world, {
    deps: { clock: { now: () => (fault.isOn ? fail() : world.ctx.clock.now()) } },
  });
  return {
    temporal: world.temporal,
    names: Object.keys(scenarios),
    async play(name) {
      const campaign = await scenarios[name]?.({ world, fault, ...pacer });
      if (campaign === undefined) throw new Error(`There is no scenario ${name}`);
      // A terminated Workflow has ended, too.
      await pacer
        .handleOf(campaign)
        .result()
        .catch(() => undefined);
      return campaignWorkflowId(campaign.uuid);
    },
    async close() {
      await pacer.stop();
      await world.close();
    },
  };
}

function fail(): never {
  throw new TypeError('A step fails');
}
