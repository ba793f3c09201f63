import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { getRow } from '../../../src/db/rows.ts';
import { campaignTargets } from '../../../src/db/tables/campaign-targets.ts';
import type { CampaignRow } from '../../../src/db/tables/campaigns.ts';
import { organizations } from '../../../src/db/tables/organizations.ts';
import { agentOf, insertCampaign } from '../../support/campaign-world.ts';
import { createCallWorld, type CallWorld } from '../../support/call-world.ts';
import { closedForDays, startPacer, type Pacer } from '../../support/pacer.ts';
import { createScriptedLlm } from '../../support/scripted-llm.ts';
import { until } from '../../support/until.ts';

let world: CallWorld;
let pacer: Pacer;
/** Every activity fails in an unexpected way. */
let isBroken = false;

function brokenOr(now: Date): Date {
  if (isBroken) throw new TypeError('broken');
  return now;
}

beforeAll(async () => {
  world = await createCallWorld({ llm: createScriptedLlm(), kind: 'mysql' });
  pacer = await startPacer(world, { deps: { clock: { now: () => brokenOr(world.ctx.clock.now()) } } });
});

afterAll(async () => {
  await pacer.stop();
  await world.close();
});

const attributesOf = async (campaign: CampaignRow) =>
  (await pacer.handleOf(campaign).describe()).searchAttributes;
/** What Temporal UI shows as the current details. */
const detailsOf = async (campaign: CampaignRow): Promise<string> => {
  const metadata: unknown = await pacer.handleOf(campaign).query('__temporal_workflow_metadata');
  return typeof metadata === 'object' && metadata !== null && 'currentDetails' in metadata
    ? String(metadata.currentDetails)
    : '';
};

describe('a campaign in Temporal', () => {
  // guarantee: temporal-shows-no-contact-data
  test("shows its ids, its state, what it waits for until when, and its rows by state, but no person's name or number", async () => {
    const { ctx } = world;
    const campaign = await insertCampaign(ctx, { contacts: 5, settings: { schedule_config: closedForDays } });
    await pacer.start(campaign);
    await pacer.stands(campaign, 'running');
    const { uuid: organizationUuid } = await getRow(ctx.db.manager, organizations, {
      id: ctx.organizationId,
    });
    expect(await attributesOf(campaign)).toMatchObject({
      OrgId: [organizationUuid],
      AgentUuid: [(await agentOf(ctx, campaign)).uuid],
      CampaignId: [campaign.uuid],
    });
    await ctx.db
      .getRepository(campaignTargets)
      .update({ campaignId: campaign.id, rowNumber: 1 }, { state: 'processed', outcome: 'reached' });
    await ctx.db
      .getRepository(campaignTargets)
      .update({ campaignId: campaign.id, rowNumber: 2 }, { state: 'failed', outcome: 'canceled' });
    await ctx.db
      .getRepository(campaignTargets)
      .update(
        { campaignId: campaign.id, rowNumber: 3 },
        { state: 'waiting', outcome: 'busy', dueAt: new Date(Date.now() + 3_600_000) },
      );
    await pacer.change(campaign, { state: 'running' });
    await until('the rows as they are now', async () =>
      (await detailsOf(campaign)).includes('| 2 | 1 | 0 | 1 | 1 |'),
    );
    const details = await detailsOf(campaign);
    expect(details).toMatch(
      /^\*\*running\*\*, waits: `(outside_window|retry)` until \d{4}-\d{2}-\d{2}T[\d:.]+Z\n\n\| never dialed \| to be dialed again \| in a call \| done \| failed \|/,
    );
    expect(details).not.toMatch(/1415555|Person|Campaign agent/);
    await pacer.change(campaign, { stopMode: 'finish' });
    await pacer.handleOf(campaign).result();
    expect(await detailsOf(campaign)).toContain('**completed**');
  });

  // guarantee: failed-round-waits-at-most-5-s
  test('shows that it is failing and why, and follows a change within 5 s', async () => {
    const { ctx } = world;
    const campaign = await insertCampaign(ctx, {
      contacts: 1,
      settings: { retry_config: { enabled: false } },
    });
    isBroken = true;
    await pacer.start(campaign, { paceMs: 200 });
    await until('the need', async () => (await attributesOf(campaign))['NeedsAttention']?.[0] === true);
    expect(await detailsOf(campaign)).toMatch(/^\*\*Currently failing\*\*: `\w+`\. Retries continue\.$/);
    isBroken = false;
    const wokenAt = performance.now();
    await pacer.change(campaign, { state: 'paused' });
    await pacer.stands(campaign, 'paused');
    expect(performance.now() - wokenAt).toBeLessThan(5000);
    await pacer.change(campaign, { stopMode: 'finish' });
    await expect(pacer.handleOf(campaign).result()).resolves.toEqual({ state: 'completed' });
    await until(
      'no attention is needed',
      async () => (await attributesOf(campaign))['NeedsAttention']?.[0] === false,
    );
  });
});
