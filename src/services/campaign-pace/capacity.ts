import { In, Not, type EntityManager } from 'typeorm';
import { calls } from '../../db/tables/calls.ts';
import { campaigns, type CampaignRow } from '../../db/tables/campaigns.ts';
import { phoneNumbers } from '../../db/tables/phone-numbers.ts';
import { linesFor } from '../../domain/campaign/lines.ts';
import { linesOfRamp } from '../../domain/campaign/pace.ts';
import type { DialPolicy } from '../../domain/campaign/policy.ts';
import { rulesOf, type CampaignRules } from '../../domain/campaign/rules.ts';
import { findOutbound } from '../telephony/configurations.ts';
import { usualCallLimits } from '../telephony/index.ts';
import type { PaceDeps } from './deps.ts';

/** A number that a call may show, and that no other call of a campaign shows now. */
export interface FreeNumber {
  id: number;
  /** E.164. */
  address: string;
}

/** With what a campaign may dial now. */
export interface Capacity {
  configurationId: number;
  provider: string;
  /** Lines that it may take more. */
  lines: number;
  numbers: FreeNumber[];
}

interface Sharing {
  deps: PaceDeps;
  campaign: CampaignRow;
  rules: CampaignRules;
  policy: DialPolicy;
  now: Date;
}

/**
 * What is free for one more call of the campaign, under the organization's lock: lines of the organization without those that are kept for other calls,
 * its fair part of them, and numbers of its connection, each of which one call at a time shows (contract 11.6). Null: no connection of it can dial.
 */
export async function readCapacity(tx: EntityManager, sharing: Sharing): Promise<Capacity | null> {
  const { deps, campaign: { organizationId, configurationId }, rules } = sharing;
  const choice = await findOutbound(tx, { secrets: deps.secrets, organizationId }, { carriers: deps.carriers, id: configurationId });
  if (choice.kind !== 'ready') return null;
  const { id, provider, activeNumberIds } = choice.configuration;
  const pool = rules.fromNumberIds === null ? activeNumberIds : activeNumberIds.filter((each) => rules.fromNumberIds?.includes(each));
  const inUse = await readInUse(tx, organizationId);
  const free = pool.filter((each) => !inUse.numbers.has(each));
  const rows = free.length === 0 ? [] : await tx.getRepository(phoneNumbers).find({ select: { id: true, addressNormalized: true }, where: { id: In(free), organizationId }, order: { id: 'ASC' } });
  const lines = await shareOfLines(tx, sharing, inUse.lines);
  return { configurationId: id, provider, lines, numbers: rows.map(({ id: numberId, addressNormalized: address }) => ({ id: numberId, address })) };
}

interface InUse {
  /** By campaign. */
  lines: Map<number, number>;
  numbers: Set<number>;
}

async function readInUse(tx: EntityManager, organizationId: number): Promise<InUse> {
  const rows: { campaign_id: string | number; phone_number_id: string | number | null }[] = await tx.query("SELECT campaign_id, phone_number_id FROM campaign_targets WHERE organization_id = ? AND state = 'processing'", [organizationId]);
  const lines = new Map<number, number>();
  for (const { campaign_id: id } of rows) lines.set(Number(id), (lines.get(Number(id)) ?? 0) + 1);
  return { lines, numbers: new Set(rows.flatMap(({ phone_number_id: id }) => (id === null ? [] : [Number(id)]))) };
}

async function shareOfLines(tx: EntityManager, { deps: { limits = usualCallLimits }, campaign, rules, policy, now }: Sharing, inUse: InUse['lines']): Promise<number> {
  const { id, organizationId, startedAt, breakerSince } = campaign;
  const live = await tx.getRepository(calls).countBy({ organizationId, channel: In(['phone', 'web']), state: In(['pending', 'admitted', 'talking', 'ending']) });
  const others = await tx.getRepository(campaigns).find({ select: { id: true, settings: true, hungryUntil: true }, where: { organizationId, state: 'running', id: Not(id) } });
  const ramp = linesOfRamp({ ramp: rules.ramp, since: later(startedAt, breakerSince) ?? now, now });
  return linesFor({
    free: Math.max(0, limits.calls - rules.reservedLines - live),
    mine: { weight: rules.weight, inUse: inUse.get(id) ?? 0 },
    others: others.map((each) => ({ weight: rulesOf(each.settings, policy).weight, inUse: inUse.get(each.id) ?? 0, isHungry: each.hungryUntil !== null && each.hungryUntil > now })),
    most: rules.lines === null || ramp === null ? (rules.lines ?? ramp) : Math.min(rules.lines, ramp),
  });
}

function later(one: Date | null, other: Date | null): Date | null {
  return one === null || other === null ? (one ?? other) : new Date(Math.max(one.getTime(), other.getTime()));
}
