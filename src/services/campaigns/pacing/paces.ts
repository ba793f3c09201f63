import type { EntityManager } from 'typeorm';
import { queryRows, updateRows } from '../../../db/rows.ts';
import type { CampaignRow } from '../../../db/tables/campaigns.ts';
import { dialPolicies, type DialPolicyRow } from '../../../db/tables/dial-policies.ts';
import { nextTokenAt, takeTokens, type TokenBucket } from '../../../domain/campaign/pace.ts';
import type { CampaignRules } from '../../../domain/campaign/rules.ts';
import { readTimestamp } from './raw.ts';

/** How fast dials may begin. */
interface Pace {
  bucket: TokenBucket;
  perSecond: number;
  burst: number;
}

/** The organization's pace, and the campaign's own within it. */
export interface Paces {
  ofAll: Pace;
  /** Null = it has none. */
  own: Pace | null;
}

/** What a process keeps of a campaign's own pace between rounds; null = nothing yet. */
export interface OwnPace {
  bucket: TokenBucket | null;
}

interface Pacing {
  campaign: Pick<CampaignRow, 'id' | 'organizationId'>;
  policy: Pick<DialPolicyRow, 'paceTokens' | 'paceAt'>;
  rules: Pick<CampaignRules, 'startsPerSecond' | 'organizationStartsPerSecond'>;
  own: OwnPace;
  now: Date;
}

export async function readPaces(
  tx: EntityManager,
  { campaign, policy: { paceTokens, paceAt }, rules, own, now }: Pacing,
): Promise<Paces> {
  const ofAll = paceOf({ tokens: paceTokens, at: paceAt }, rules.organizationStartsPerSecond);
  const { startsPerSecond } = rules;
  return {
    ofAll,
    // guarantee: slow-pace-kept-across-rounds
    own:
      startsPerSecond === null
        ? null
        : paceOf(own.bucket ?? (await sinceLastStart(tx, campaign, now)), startsPerSecond),
  };
}

function paceOf(bucket: TokenBucket, perSecond: number): Pace {
  return { bucket, perSecond, burst: Math.max(1, perSecond) };
}

/**
 * The first look of a process knows only the last start. It assumes that the bucket was empty then, which is
 * the worst case.
 */
async function sinceLastStart(
  tx: EntityManager,
  { id, organizationId }: Pacing['campaign'],
  now: Date,
): Promise<TokenBucket> {
  const sql =
    'SELECT created_at FROM calls WHERE organization_id = ? AND campaign_id = ? ORDER BY created_at DESC LIMIT 1';
  const [last]: { created_at: Date | string }[] = await queryRows(tx, {
    organizationId,
    sql,
    values: [organizationId, id],
  });
  return last === undefined ? { tokens: 1, at: now } : { tokens: 0, at: readTimestamp(last.created_at) };
}

/** Dials that may begin now. */
export function startsNow({ ofAll, own }: Paces, now: Date): { all: number; own: number } {
  return { all: startsOf(ofAll, now), own: own === null ? Infinity : startsOf(own, now) };
}

function startsOf(pace: Pace, now: Date): number {
  return takeTokens(pace.bucket, { ...pace, now, wanted: Infinity }).taken;
}

/** When the next dial may begin. Both paces must allow it. */
export function nextStartAt({ ofAll, own }: Paces, now: Date): Date {
  const times = [ofAll, ...(own === null ? [] : [own])].map((pace) =>
    nextTokenAt(takeTokens(pace.bucket, { ...pace, now, wanted: 0 }).bucket, pace.perSecond).getTime(),
  );
  return new Date(Math.max(...times));
}

/** Counts dials that begin for both paces. */
export async function spendStarts(
  tx: EntityManager,
  { ofAll, own: ownPace }: Paces,
  {
    campaign: { organizationId },
    own,
    now,
    spent,
  }: Pick<Pacing, 'campaign' | 'own' | 'now'> & { spent: number },
): Promise<void> {
  if (spent === 0) return;
  const { bucket } = takeTokens(ofAll.bucket, { ...ofAll, now, wanted: spent });
  await updateRows(tx, dialPolicies, {
    where: { organizationId },
    change: { paceTokens: bucket.tokens, paceAt: bucket.at },
  });
  own.bucket =
    ownPace === null ? null : takeTokens(ownPace.bucket, { ...ownPace, now, wanted: spent }).bucket;
}
