import { NativeConnection } from '@temporalio/worker';
import { createCampaignActivities } from '../../src/activities/campaign.ts';
import { getRow } from '../../src/db/rows.ts';
import { campaigns, type CampaignRow } from '../../src/db/tables/campaigns.ts';
import { organizations } from '../../src/db/tables/organizations.ts';
import { campaignWorkflowId } from '../../src/domain/temporal-ids.ts';
import type { CampaignInput } from '../../src/temporal/port.ts';
import { createCampaignRuns } from '../../src/temporal/campaign-runs.ts';
import { createWorkers } from '../../src/worker/create-workers.ts';
import { agentOf, endCall, callsOf, insertCampaign, setPolicy } from '../../test/support/campaign-world.ts';
import { createCallWorld, testBundle, type CallWorld } from '../../test/support/call-world.ts';
import { createScriptedLlm } from '../../test/support/scripted-llm.ts';
import { temporalTestAddress } from '../../test/support/temporal.ts';
import { until } from '../../test/support/until.ts';
import type { Recording } from './recording.ts';

const closed = { timezone: 'UTC', slots: [{ day_of_week: (new Date().getUTCDay() + 2) % 7, start_time: '10:00', end_time: '10:01' }] };

interface Stage {
  world: CallWorld;
  start: (campaign: CampaignRow) => Promise<void>;
  change: (campaign: CampaignRow, to: Partial<Pick<CampaignRow, 'state' | 'stopMode'>>) => Promise<void>;
  stands: (campaign: CampaignRow, state: string) => Promise<void>;
}

/** Each answers the campaign whose Workflow has ended. */
const scenarios: Record<string, (stage: Stage) => Promise<CampaignRow>> = {
  async 'runs-to-completion'({ world, start }) {
    const campaign = await insertCampaign(world.ctx, { contacts: 3, numbers: 3, settings: { retry_config: { enabled: false } } });
    await start(campaign);
    for (const call of await until('the calls', async () => ((await callsOf(world.ctx, campaign)).length === 3 ? await callsOf(world.ctx, campaign) : undefined))) await endCall(world.ctx, call);
    return campaign;
  },
  async 'sleeps-is-paused-resumed-and-stopped'({ world, start, change, stands }) {
    const campaign = await insertCampaign(world.ctx, { contacts: 2, settings: { schedule_config: closed } });
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
    const campaign = await insertCampaign(world.ctx, { contacts: 1, settings: { schedule_config: { slots: [] } } });
    await start(campaign);
    await stands(campaign, 'paused');
    await change(campaign, { stopMode: 'finish' });
    return campaign;
  },
};

/** Campaigns whose calls the recorder ends itself. */
export async function openCampaigns(): Promise<Recording> {
  const world = await createCallWorld({ llm: createScriptedLlm() });
  const { ctx, queues } = world;
  await setPolicy(ctx, { startsPerSecond: 1000 });
  const activities = createCampaignActivities({ ...ctx, carriers: new Set(['telnyx']), calls: { startCall: () => Promise.resolve(), cancelCall: () => Promise.resolve('gone') }, startImport: () => Promise.resolve() });
  const connection = await NativeConnection.connect({ address: temporalTestAddress() });
  const [worker] = await createWorkers({ connection, namespace: 'parlance-test', workflowBundle: await testBundle(), activities: { campaign: activities }, taskQueueOf: () => queues.campaign, shutdownGraceMs: 500 });
  const running = worker?.run();
  const runs = createCampaignRuns({ temporal: world.temporal, taskQueue: queues.campaign });
  const handleOf = ({ uuid }: CampaignRow) => world.temporal.client.workflow.getHandle(campaignWorkflowId(uuid));
  const inputOf = async (campaign: CampaignRow): Promise<CampaignInput> => ({ campaignId: campaign.id, campaignUuid: campaign.uuid, organizationId: ctx.organizationId, organizationUuid: (await getRow(ctx.db.manager, organizations, { id: ctx.organizationId })).uuid, agentUuid: (await agentOf(ctx, campaign)).uuid });
  const stage: Stage = {
    world,
    start: async (campaign) => await runs.start(await inputOf(campaign)),
    change: async ({ id, uuid }, to) => {
      await ctx.db.getRepository(campaigns).update({ id }, to);
      await runs.wake(uuid);
    },
    stands: async (campaign, state) => void (await until(state, async () => (await handleOf(campaign).query<{ state: string } | null>('campaignState'))?.state === state)),
  };
  return {
    temporal: world.temporal,
    names: Object.keys(scenarios),
    async play(name) {
      const campaign = await scenarios[name]?.(stage);
      if (campaign === undefined) throw new Error(`No such way: ${name}`);
      await handleOf(campaign).result();
      return campaignWorkflowId(campaign.uuid);
    },
    async close() {
      worker?.shutdown();
      await running;
      await connection.close();
      await world.close();
    },
  };
}
