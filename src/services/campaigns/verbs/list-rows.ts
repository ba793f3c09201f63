import type { CampaignRowPage } from '../../../contract/campaigns.ts';
import { columns, selectFrom } from '../../../db/rows.ts';
import { campaignTargets, type CampaignTargetRow } from '../../../db/tables/campaign-targets.ts';
import type { TargetOutcome } from '../../../domain/campaign/outcome.ts';
import { rulesOf } from '../../../domain/campaign/rules.ts';
import { ForbiddenError } from '../../../domain/errors.ts';
import type { WaitReason } from '../../../domain/campaign/wait-reason.ts';
import { callsInDoubt } from '../targets/in-doubt.ts';
import { may, type ServiceContext } from '../../kernel/index.ts';
import { findCampaign } from './internal.ts';
import { toRowState } from './mapper.ts';
import { narrowToReason } from './rows-with-reason.ts';
import { readPolicy } from '../../telephony/index.ts';

export interface ListRowsInput {
  id: number;
  state: 'queued' | 'processing' | 'processed' | 'failed' | undefined;
  /** The reason that the rows show now. */
  reason: WaitReason | undefined;
  /** Of the last attempt. */
  outcome: TargetOutcome | undefined;
  /** The first digits, in any notation. */
  number: string | undefined;
  /** Only rows after this one. */
  after: number;
  limit: number;
}

const statesOf = {
  queued: ['queued', 'waiting'],
  processing: ['processing'],
  processed: ['processed'],
  failed: ['failed'],
} as const;

/**
 * Rows of a campaign in the order of the file; each page begins after the last row of the one before. Throws
 * NotFoundError, and ForbiddenError for a number if the actor may not see numbers.
 */
export async function listCampaignRows({
  ctx,
  input: { id, state, reason, outcome, number, after, limit },
}: {
  ctx: ServiceContext;
  input: ListRowsInput;
}): Promise<CampaignRowPage> {
  const { organizationId } = ctx;
  if (number !== undefined && !may(ctx.actor, 'people:read'))
    throw new ForbiddenError('`number` needs the scope people:read');
  const campaign = await findCampaign(ctx.db.manager, ctx, id);
  const { window } = rulesOf(campaign.settings, await readPolicy(ctx.db.manager, organizationId));
  const now = ctx.clock.now();
  const query = selectFrom(ctx.db, campaignTargets, { as: 'target', organizationId }).andWhere(
    'target.campaignId = :id AND target.rowNumber > :after',
    { id: campaign.id, after },
  );
  if (state !== undefined)
    query.andWhere('target.state IN (:...states)', columns<object>({ states: statesOf[state] }));
  if (outcome !== undefined) query.andWhere('target.outcome = :outcome', { outcome });
  if (number !== undefined)
    query.andWhere('target.phone LIKE :number', { number: `${number.replaceAll(/\D/g, '')}%` });
  if (reason !== undefined) await narrowToReason(ctx, query, { campaign, window, reason, now });
  const targets = await query
    .orderBy('target.rowNumber', 'ASC')
    .take(limit + 1)
    .getMany();
  const shown = targets.slice(0, limit);
  const inDoubt = await callsInDoubt(ctx, { organizationId, callIds: inCall(shown) });
  return {
    rows: shown.map((target) => toRowState(target, { campaign, window, now, inDoubt })),
    next_after: targets.length > limit ? (shown.at(-1)?.rowNumber ?? null) : null,
  };
}

const inCall = (targets: readonly CampaignTargetRow[]): number[] =>
  targets.flatMap(({ state, callId }) => (state === 'processing' && callId !== null ? [callId] : []));
