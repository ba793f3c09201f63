import { In, type EntityManager } from 'typeorm';
import { validationRecord } from '../../../contract/lax/records.ts';
import { countRows } from '../../../db/rows.ts';
import { phoneNumbers } from '../../../db/tables/phone-numbers.ts';
import { rulesOf } from '../../../domain/campaign/rules.ts';
import type { CampaignSettings } from '../../../domain/campaign/settings.ts';
import { neverOpens } from '../../../domain/campaign/windows.ts';
import { ValidationError } from '../../../domain/errors.ts';
import { isZone } from '../../../domain/template/time.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { readPolicy } from '../dial-policy/read-policy.ts';
import { findOutbound, type OutboundConfiguration, usualCallLimits } from '../../telephony/index.ts';
import { badRequest, requireForInitiate } from '../../calls/index.ts';
import type { CampaignDeps } from '../records/deps.ts';

/** All settings of a campaign. */
export const settingNames = [
  'retry_config',
  'max_concurrency',
  'schedule_config',
  'circuit_breaker',
  'rules',
] as const satisfies (keyof CampaignSettings)[];

interface Checking {
  deps: Pick<CampaignDeps, 'carriers' | 'limits'>;
  settings: CampaignSettings;
  /** As the campaign names it. */
  configurationId: number | null;
  /**
   * The changed settings. Nothing else is checked, so that a change of name works while a carrier is
   * unavailable.
   */
  changed: readonly (keyof CampaignSettings)[];
}

/**
 * Checks whether a campaign could ever run with these settings (contract 11.5): its lines, numbers, zone and
 * hours. Throws ValidationError with the wire's record for an unknown time zone, PreconditionError (400) for
 * the rest.
 */
export async function checkSettings(
  manager: EntityManager,
  ctx: ServiceContext,
  { deps, settings, configurationId, changed }: Checking,
): Promise<void> {
  const isNew = (...names: (keyof CampaignSettings)[]) => names.some((name) => changed.includes(name));
  if (isNew('schedule_config')) requireZone(settings);
  if (isNew('max_concurrency', 'rules')) {
    const connection = await usableConnection(manager, ctx, { deps, configurationId });
    requireLines(settings.max_concurrency, { limit: (deps.limits ?? usualCallLimits).calls, connection });
    await requireNumbers(manager, ctx, { ids: settings.rules?.from_phone_number_ids ?? [], connection });
  }
  if (isNew('schedule_config', 'rules'))
    requireHours(settings, await readPolicy(manager, ctx.organizationId), ctx.clock.now());
}

/**
 * The connection, if it can dial now; null if the organization has none yet and the campaign names none.
 * Throws PreconditionError (400).
 */
async function usableConnection(
  manager: EntityManager,
  ctx: ServiceContext,
  { deps, configurationId }: Pick<Checking, 'deps' | 'configurationId'>,
): Promise<OutboundConfiguration | null> {
  const choice = await findOutbound(manager, ctx, { carriers: deps.carriers, id: configurationId });
  return choice.kind === 'none' ? null : requireForInitiate(choice);
}

function requireZone({ schedule_config: schedule }: CampaignSettings): void {
  const zone = schedule?.timezone;
  if (zone === undefined || isZone(zone)) return;
  const fault = {
    type: 'value_error',
    msg: 'Value error, the time zone is not known',
    input: zone,
    ctx: { error: {} },
  };
  throw new ValidationError('The time zone is not known', {
    detail: [validationRecord(['body', 'schedule_config', 'timezone'], fault)],
  });
}

function requireLines(
  wanted: number | null,
  { limit, connection }: { limit: number; connection: OutboundConfiguration | null },
): void {
  if (wanted === null) return;
  if (wanted > limit)
    throw badRequest(`max_concurrency is ${wanted}, and the organization may have ${limit} calls at once`);
  if (connection !== null && wanted > connection.activeNumbers)
    throw badRequest(
      `max_concurrency is ${wanted}, and the telephony configuration '${connection.name}' has ${connection.activeNumbers} active phone numbers: each call holds one`,
    );
}

async function requireNumbers(
  manager: EntityManager,
  { organizationId }: ServiceContext,
  { ids, connection }: { ids: readonly number[]; connection: OutboundConfiguration | null },
): Promise<void> {
  if (ids.length === 0) return;
  const known = await countRows(manager, phoneNumbers, {
    organizationId,
    id: In([...new Set(ids)]),
    isActive: true,
    ...(connection === null ? {} : { configurationId: connection.id }),
  });
  if (known < new Set(ids).size) throw badRequest('from_phone_number_not_found');
}

/** Hours that never open are refused at once. */
function requireHours(settings: CampaignSettings, policy: Parameters<typeof rulesOf>[1], at: Date): void {
  if (neverOpens(rulesOf(settings, policy).window, at))
    throw badRequest(
      "The hours of this campaign never open: schedule_config and the organization's hours have no minute in common",
    );
}
