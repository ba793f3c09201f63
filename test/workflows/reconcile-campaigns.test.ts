import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { auditEvents } from '../../src/db/tables/audit-events.ts';
import { campaigns } from '../../src/db/tables/campaigns.ts';
import { contacts } from '../../src/db/tables/contacts.ts';
import { directories } from '../../src/db/tables/directories.ts';
import { importWorkflowId } from '../../src/domain/temporal-ids.ts';
import {
  callsOf,
  campaignOf,
  endCall,
  eventsOf,
  insertCampaign,
  targetsOf,
} from '../support/campaign-world.ts';
import { createCallWorld, type CallWorld } from '../support/call-world.ts';
import { insertDirectoryRow, keptFiles } from '../support/directories.ts';
import { noFiles } from '../support/no-files.ts';
import { closedForDays, startPacer, type Pacer } from '../support/pacer.ts';
import { createScriptedLlm } from '../support/scripted-llm.ts';
import { until } from '../support/until.ts';

const nothing = { closed: 0, handedOver: 0, restarted: 0, joined: 0, paced: 0, imported: 0, failed: 0 };
const files = keptFiles(noFiles);
const organizationUuid = randomUUID();
let world: CallWorld;
let pacer: Pacer;

beforeAll(async () => {
  world = await createCallWorld({ llm: createScriptedLlm(), kind: 'mysql' });
  await world.startWorker();
  pacer = await startPacer(world, { files });
});

afterAll(async () => {
  await pacer.stop();
  await world.close();
});

/** Runs one reconciliation of this world. */
async function reconcile(graceMs = 0): Promise<unknown> {
  return await world.temporal.client.workflow.execute('reconcileWorkflow', {
    workflowId: `reconcile-${randomUUID()}`,
    taskQueue: world.queues.delivery,
    args: [{ graceMs }],
  });
}

const auditOf = (subjectKind: string, subjectId: number) =>
  world.ctx.db.getRepository(auditEvents).find({ where: { subjectKind, subjectId, actorKind: 'system' } });

describe('a campaign whose Workflow was ended from outside', () => {
  // guarantee: terminated-campaign-paced-again
  test('is paced again by the next pass after a termination, dials the remaining rows, and the repair is audited', async () => {
    const { ctx } = world;
    const campaign = await pacer.start(
      await insertCampaign(ctx, { contacts: 20, numbers: 4, settings: { retry_config: { enabled: false } } }),
    );
    await until('its first calls', async () => (await callsOf(ctx, campaign)).length === 4);
    await pacer.handleOf(campaign).terminate('by an operator');
    // These calls have no Workflows, but are too young to be closed.
    expect(await reconcile(600_000)).toEqual({ ...nothing, paced: 1 });
    await until('its end', async () => {
      for (const call of (await callsOf(ctx, campaign)).filter(({ state }) => state === 'pending'))
        await endCall(ctx, call);
      return (await campaignOf(ctx, campaign)).state === 'completed';
    });
    expect((await targetsOf(ctx, campaign)).map(({ outcome, attempts }) => `${outcome} ${attempts}`)).toEqual(
      Array.from({ length: 20 }, () => 'busy 1'),
    );
    expect(await eventsOf(ctx, campaign)).toEqual([
      'campaign_synced',
      'campaign_paced_again',
      'campaign_completed',
    ]);
    expect(await auditOf('campaign', campaign.id)).toMatchObject([
      { action: 'campaign.paced_again', changes: { state: 'running' } },
    ]);
    await pacer.handleOf(campaign).result();
    expect(await reconcile()).toEqual(nothing);
  });

  test('stays paused after a cancellation and can be resumed; one younger than the grace period is not touched', async () => {
    const { ctx } = world;
    const campaign = await pacer.start(
      await insertCampaign(ctx, {
        contacts: 2,
        settings: { schedule_config: closedForDays },
        row: { breakerSince: ctx.clock.now() },
      }),
    );
    await pacer.stands(campaign, 'running');
    await ctx.db
      .getRepository(campaigns)
      .update({ id: campaign.id }, { state: 'paused', waitReason: 'paused' });
    await pacer.handleOf(campaign).cancel();
    await until(
      'its cancellation',
      async () => (await pacer.handleOf(campaign).describe()).status.name === 'CANCELLED',
    );
    expect(await reconcile(600_000)).toEqual(nothing);
    expect(await reconcile()).toEqual({ ...nothing, paced: 1 });
    await pacer.stands(campaign, 'paused');
    expect(await reconcile()).toEqual(nothing);
    await pacer.change(campaign, { stopMode: 'finish' });
    await expect(pacer.handleOf(campaign).result()).resolves.toEqual({ state: 'completed' });
  });

  test('is not touched when it was never started, has ended, or failed without live calls', async () => {
    const { ctx } = world;
    for (const state of ['created', 'completed', 'failed'] as const)
      await insertCampaign(ctx, { contacts: 1, row: { state } });
    expect(await reconcile()).toEqual(nothing);
  });
});

describe('an import whose Workflow was ended from outside', () => {
  const content = 'phone_number\n+12025550101\n+12025550102\n';
  const importing = async (importNumber: number) => {
    const { ctx } = world;
    const fileKey = `campaigns/${ctx.organizationId}/${randomUUID()}_list.csv`;
    await files.write(fileKey, Readable.from([Buffer.from(content)]), 1000);
    const id = await insertDirectoryRow(ctx.db, ctx.organizationId, {
      state: 'importing',
      importNumber,
      fileKey,
    });
    await ctx.db
      .getRepository(directories)
      .update({ id }, { bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') });
    const row = () => ctx.db.getRepository(directories).findOneByOrFail({ id });
    return {
      id,
      uuid: (await row()).uuid,
      row,
      rows: async () =>
        (await ctx.db.getRepository(contacts).findBy({ directoryId: id })).map((each) => each.importNumber),
    };
  };

  // guarantee: terminated-import-restarts-apart
  test('starts again under the next number, without rows of the old one, and the repair is audited', async () => {
    const { ctx } = world;
    const { id, uuid, row, rows } = await importing(1);
    const workflowId = importWorkflowId(uuid, 1);
    const input = {
      directoryId: id,
      directoryUuid: uuid,
      organizationId: ctx.organizationId,
      organizationUuid,
      importNumber: 1,
    };
    await (
      await world.temporal.client.workflow.start('importWorkflow', {
        workflowId,
        taskQueue: `nobody-${randomUUID()}`,
        args: [input],
      })
    ).terminate();
    expect(await reconcile()).toEqual({ ...nothing, imported: 1 });
    await until('the rows', async () => (await row()).state === 'ready');
    expect([(await row()).importNumber, await rows()]).toEqual([2, [2, 2]]);
    expect(await auditOf('directory', id)).toMatchObject([
      { action: 'directory.check_restarted', changes: { import_number: 2 } },
    ]);
    expect(await reconcile()).toEqual(nothing);
  });

  test('is not touched while it runs, and starts under its own number when it never began', async () => {
    const { ctx } = world;
    const [runs, never] = [await importing(1), await importing(3)];
    const input = {
      directoryId: runs.id,
      directoryUuid: runs.uuid,
      organizationId: ctx.organizationId,
      organizationUuid,
      importNumber: 1,
    };
    const handle = await world.temporal.client.workflow.start('importWorkflow', {
      workflowId: importWorkflowId(runs.uuid, 1),
      taskQueue: `nobody-${randomUUID()}`,
      args: [input],
    });
    expect(await reconcile()).toEqual({ ...nothing, imported: 1 });
    await until('the rows', async () => (await never.row()).state === 'ready');
    expect([await never.rows(), (await runs.row()).state]).toEqual([[3, 3], 'importing']);
    await ctx.db.getRepository(directories).update({ id: runs.id }, { state: 'failed' });
    await handle.terminate();
  });
});
