import { Brackets } from 'typeorm';
import { columns, findRows, queryRows, type NarrowedQuery } from '../../../db/rows.ts';
import { campaignTargets, type CampaignTargetRow } from '../../../db/tables/campaign-targets.ts';
import type { CampaignRow } from '../../../db/tables/campaigns.ts';
import type { CampaignRules } from '../../../domain/campaign/rules.ts';
import type { WaitReason } from '../../../domain/campaign/wait-reason.ts';
import { waitingFor, type WaitingFor } from '../../../domain/campaign/waiting-for.ts';
import { zonesOf } from '../../../domain/phone/zones.ts';
import { callsInDoubt } from '../targets/in-doubt.ts';
import type { ServiceContext } from '../../kernel/index.ts';

interface Asked {
  campaign: CampaignRow;
  window: CampaignRules['window'];
  reason: WaitReason;
  now: Date;
}

/** Narrows rows of a campaign to those that show the reason now, as `toRowState` does. */
export async function narrowToReason(
  ctx: ServiceContext,
  query: NarrowedQuery<CampaignTargetRow>,
  { campaign, window, reason, now }: Asked,
): Promise<void> {
  const zones: { zone_key: string }[] = await queryRows(ctx.db, {
    organizationId: ctx.organizationId,
    sql: "SELECT DISTINCT zone_key FROM campaign_targets WHERE campaign_id = ? AND organization_id = ? AND state IN ('queued', 'waiting')",
    values: [campaign.id, ctx.organizationId],
  });
  const asked = waitingFor(reason, {
    campaign: { ...campaign, window },
    zoneKeys: zones.map(({ zone_key: zoneKey }) => zoneKey),
    zonesOf,
    now,
  });
  const doubtful = asked.inDoubt ? await inDoubt(ctx, campaign) : [];
  query.andWhere(
    new Brackets((any) => {
      // Every row that is over and shows the reason.
      any.where("target.state IN ('processed', 'failed') AND target.waitReason = :overWith", {
        overWith: asked.overWith,
      });
      for (const [sql, values] of conditions(asked, now)) any.orWhere(sql, columns<object>(values));
      if (doubtful.length > 0)
        any.orWhere("target.state = 'processing' AND target.callId IN (:...doubtful)", { doubtful });
    }),
  );
}

function conditions(
  { all, laterWith, dueInZones }: WaitingFor,
  now: Date,
): [string, Record<string, unknown>][] {
  const open = "target.state IN ('queued', 'waiting')";
  // A row without a reason of its own waits for its retry.
  const own = laterWith === 'retry' ? "COALESCE(target.waitReason, 'retry')" : 'target.waitReason';
  return [
    ...(all ? [[open, {}] satisfies [string, object]] : []),
    ...(laterWith === null
      ? []
      : [
          [`${open} AND target.dueAt > :now AND ${own} = :laterWith`, { now, laterWith }] satisfies [
            string,
            object,
          ],
        ]),
    ...(dueInZones.length === 0
      ? []
      : [
          [
            `${open} AND (target.dueAt IS NULL OR target.dueAt <= :now) AND target.zoneKey IN (:...dueInZones)`,
            { now, dueInZones },
          ] satisfies [string, object],
        ]),
  ];
}

async function inDoubt(ctx: ServiceContext, { id: campaignId }: CampaignRow): Promise<number[]> {
  const { organizationId } = ctx;
  const busy = await findRows(
    ctx.db,
    campaignTargets,
    { campaignId, organizationId, state: 'processing' },
    { select: ['callId'] },
  );
  return [
    ...(await callsInDoubt(ctx, {
      organizationId,
      callIds: busy.flatMap(({ callId }) => (callId === null ? [] : [callId])),
    })),
  ];
}
