import { NativeConnection } from '@temporalio/worker';
import { createCampaignActivities } from '../../src/activities/campaign.ts';
import { createFileImportActivities, createImportActivities } from '../../src/activities/import.ts';
import { getRow } from '../../src/db/rows.ts';
import { campaigns, type CampaignRow } from '../../src/db/tables/campaigns.ts';
import { organizations } from '../../src/db/tables/organizations.ts';
import { campaignWorkflowId } from '../../src/domain/temporal-ids.ts';
import { createContactFiles } from '../../src/providers/contact-files/contact-files.ts';
import type { Files } from '../../src/providers/storage/port.ts';
import type { PaceDeps } from '../../src/services/campaigns/index.ts';
import { createCampaignRuns } from '../../src/temporal/campaign-runs.ts';
import type { CampaignInput } from '../../src/temporal/port.ts';
import { createWorkers } from '../../src/worker/create-workers.ts';
import type { campaignWorkflow } from '../../src/workflows/index.ts';
import { agentOf, setPolicy } from './campaign-world.ts';
import { testBundle, type CallWorld } from './call-world.ts';
import { createFakeCarrierPort } from './fake-carrier.ts';
import { insertOpenHost } from './media/open-host.ts';
import { noFiles } from './no-files.ts';
import { keepRunning, temporalTestAddress } from './temporal.ts';
import { until } from './until.ts';

/** A schedule that is closed for days. */
export const closedForDays = {
  timezone: 'UTC',
  slots: [{ day_of_week: (new Date().getUTCDay() + 2) % 7, start_time: '10:00', end_time: '10:01' }],
};

/** Campaigns of a world without real calls: calls are rows that the test ends itself. */
export interface Pacer {
  start: (
    campaign: CampaignRow,
    changes?: Pick<CampaignInput, 'paceMs' | 'activitiesPerRun'>,
  ) => Promise<CampaignRow>;
  /** Changes the row and wakes the Workflow, like the API. */
  change: (campaign: CampaignRow, to: Partial<Pick<CampaignRow, 'state' | 'stopMode'>>) => Promise<void>;
  handleOf: (campaign: CampaignRow) => ReturnType<CallWorld['temporal']['client']['workflow']['getHandle']>;
  /** Waits until a round found the campaign in that state. */
  stands: (campaign: CampaignRow, state: string) => Promise<void>;
  stop: () => Promise<void>;
}

/** A worker for the world's queues of campaigns and of imports. */
export async function startPacer(
  world: CallWorld,
  {
    files = noFiles,
    deps = {},
  }: { files?: Pick<Files, 'write' | 'facts' | 'read' | 'remove'>; deps?: Partial<PaceDeps> } = {},
): Promise<Pacer> {
  const { ctx, temporal, queues } = world;
  await setPolicy(ctx, { startsPerSecond: 1000 });
  await insertOpenHost(ctx.db, { maxCalls: 1000 });
  const pacing = createCampaignActivities({
    ...ctx,
    carriers: new Set(['telnyx']),
    accounts: () => createFakeCarrierPort(),
    calls: { startCall: () => Promise.resolve(), cancelCall: () => Promise.resolve('gone') },
    startImport: () => Promise.resolve(),
    ...deps,
  });
  const connection = await NativeConnection.connect({ address: temporalTestAddress() });
  const workers = await createWorkers({
    hasNoThreads: true,
    connection,
    namespace: 'parlance-test',
    workflowBundle: await testBundle(),
    activities: {
      campaign: { ...pacing, ...createImportActivities(ctx) },
      import: createFileImportActivities({ ...ctx, files, contactFiles: createContactFiles() }),
    },
    taskQueueOf: (role) => queues[role],
    shutdownGraceMs: 500,
  });
  const running = keepRunning(connection, workers);
  const runs = createCampaignRuns({ temporal, taskQueue: queues.campaign });
  const handleOf = ({ uuid }: CampaignRow) =>
    temporal.client.workflow.getHandle<typeof campaignWorkflow>(campaignWorkflowId(uuid));
  return {
    async start(campaign, changes = {}) {
      const { uuid: organizationUuid } = await getRow(ctx.db.manager, organizations, {
        id: ctx.organizationId,
      });
      await runs.start({
        campaignId: campaign.id,
        campaignUuid: campaign.uuid,
        organizationId: ctx.organizationId,
        organizationUuid,
        agentUuid: (await agentOf(ctx, campaign)).uuid,
        ...changes,
      });
      return campaign;
    },
    async change({ id, uuid }, to) {
      await ctx.db.getRepository(campaigns).update({ id }, to);
      await runs.wake(uuid);
    },
    handleOf,
    stands: async (campaign, state) =>
      void (await until(
        state,
        async () =>
          (await handleOf(campaign).query<{ state: string } | null>('campaignState'))?.state === state,
      )),
    stop: () => running.stop(),
  };
}
