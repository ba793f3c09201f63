import { In, Not, type EntityManager } from 'typeorm';
import { countRows, findRows, queryRows } from '../../../db/rows.ts';
import { calls } from '../../../db/tables/calls.ts';
import { campaigns, type CampaignRow } from '../../../db/tables/campaigns.ts';
import { freeLines, linesFor, type Rival } from '../../../domain/campaign/lines.ts';
import { linesOfRamp } from '../../../domain/campaign/pace.ts';
import type { DialPolicy } from '../../../domain/campaign/policy.ts';
import { rulesOf, type CampaignRules } from '../../../domain/campaign/rules.ts';
import { allowedCallerNumbers, type CallerNumber } from '../../../domain/telephony/caller-number.ts';
import { findOutbound, usualCallLimits } from '../../telephony/index.ts';
import type { PaceDeps } from './deps.ts';

/** A number that a call may show and that no other campaign call shows now. */
export type FreeNumber = Pick<CallerNumber, 'id' | 'address'>;

/** What a campaign may dial with now. */
export interface Capacity {
  configurationId: number;
  provider: string;
  /** Lines that it may take in addition. */
  lines: number;
  /**
   * Calls that its own limit, its ramp and its numbers would allow in addition, if all lines and all numbers
   * were free.
   */
  ownMax: number;
  numbers: FreeNumber[];
  /** Some calls of the organization use lines now. */
  isInUse: boolean;
}

interface Sharing {
  deps: PaceDeps;
  campaign: CampaignRow;
  rules: CampaignRules;
  policy: DialPolicy;
  now: Date;
}

/**
 * The free capacity for further calls of the campaign, under the organization's lock: its fair share of the
 * organization's lines without the reserve, and numbers of its connection, each of which one call at a time
 * shows (contract 11.6). Null if it has no connection that can dial.
 */
export async function readCapacity(tx: EntityManager, sharing: Sharing): Promise<Capacity | null> {
  const {
    deps,
    campaign: { id: campaignId, organizationId, configurationId },
    rules,
  } = sharing;
  const choice = await findOutbound(
    tx,
    { secrets: deps.secrets, organizationId },
    { carriers: deps.carriers, id: configurationId },
  );
  if (choice.kind !== 'ready') return null;
  const { id, provider, callerNumbers } = choice.configuration;
  const pool = allowedCallerNumbers(callerNumbers, rules.fromNumberIds);
  const inUse = await readInUse(tx, organizationId);
  // guarantee: one-active-call-per-caller-number
  const free = pool.filter((each) => !inUse.numbers.has(each.id));
  const { lines, ownLines, live } = await shareOfLines(tx, sharing, inUse.lines);
  const ownMax = Math.min(ownLines, pool.filter((each) => inUse.numbers.get(each.id) !== campaignId).length);
  return {
    configurationId: id,
    provider,
    lines,
    ownMax,
    numbers: free,
    isInUse: live > 0 || inUse.lines.size > 0,
  };
}

/** Lines and numbers that campaigns of an organization use now. */
export interface InUse {
  /** By campaign. */
  lines: Map<number, number>;
  /** By number: the campaign whose call shows it. */
  numbers: Map<number, number>;
}

export async function readInUse(tx: EntityManager, organizationId: number): Promise<InUse> {
  const rows: { campaign_id: string | number; phone_number_id: string | number | null }[] = await queryRows(
    tx,
    {
      organizationId,
      sql: "SELECT campaign_id, phone_number_id FROM campaign_targets WHERE organization_id = ? AND state = 'processing'",
      values: [organizationId],
    },
  );
  const lines = new Map<number, number>();
  for (const { campaign_id: id } of rows) lines.set(Number(id), (lines.get(Number(id)) ?? 0) + 1);
  return {
    lines,
    numbers: new Map(
      rows.flatMap(({ phone_number_id: number, campaign_id: id }) =>
        number === null ? [] : [[Number(number), Number(id)] as const],
      ),
    ),
  };
}

async function shareOfLines(
  tx: EntityManager,
  { deps: { limits = usualCallLimits }, campaign, rules, policy, now }: Sharing,
  inUse: InUse['lines'],
): Promise<{ lines: number; ownLines: number; live: number }> {
  const { id, organizationId } = campaign;
  const live = await countRows(tx, calls, {
    organizationId,
    channel: In(['phone', 'web']),
    state: In(['pending', 'admitted', 'talking', 'ending']),
  });
  const others = await readRivals(tx, { organizationId, except: id, policy, inUse, now });
  const mine = { weight: rules.weight, inUse: inUse.get(id) ?? 0 };
  const max = ownMax(campaign, rules, now);
  const lines = linesFor({
    free: freeLines({
      limit: limits.calls,
      reserved: rules.reservedLines,
      live,
      ofCampaigns: sum([...inUse.values()]),
    }),
    mine,
    others,
    max,
  });
  return { lines, live, ownLines: max === null ? Infinity : Math.max(0, max - mine.inUse) };
}

/** The other running campaigns of the organization. */
export async function readRivals(
  tx: EntityManager,
  {
    organizationId,
    except,
    policy,
    inUse,
    now,
  }: { organizationId: number; except: number; policy: DialPolicy; inUse: InUse['lines']; now: Date },
): Promise<Rival[]> {
  const others = await findRows(
    tx,
    campaigns,
    { organizationId, state: 'running', id: Not(except) },
    { select: ['id', 'settings', 'wantsLinesUntil', 'startedAt', 'breakerSince'] },
  );
  return others.map((each) =>
    rivalOf(each, { rules: rulesOf(each.settings, policy), inUse: inUse.get(each.id) ?? 0, now }),
  );
}

type Running = Pick<CampaignRow, 'startedAt' | 'breakerSince' | 'wantsLinesUntil'>;

function rivalOf(
  campaign: Running,
  { rules, inUse, now }: { rules: CampaignRules; inUse: number; now: Date },
): Rival {
  return {
    weight: rules.weight,
    inUse,
    wantsLines: campaign.wantsLinesUntil !== null && campaign.wantsLinesUntil > now,
    max: ownMax(campaign, rules, now),
  };
}

/** Lines that a campaign may have by its own limit and its ramp; null = unlimited. */
function ownMax(
  { startedAt, breakerSince }: Omit<Running, 'wantsLinesUntil'>,
  { lines, ramp }: CampaignRules,
  now: Date,
): number | null {
  const ramped = linesOfRamp({ ramp, since: later(startedAt, breakerSince) ?? now, now });
  return lines === null || ramped === null ? (lines ?? ramped) : Math.min(lines, ramped);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function later(one: Date | null, other: Date | null): Date | null {
  return one === null || other === null ? (one ?? other) : new Date(Math.max(one.getTime(), other.getTime()));
}
