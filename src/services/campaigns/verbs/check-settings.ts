import { counted } from '../../../domain/counted.ts';
import { In, type EntityManager } from 'typeorm';
import { countRows } from '../../../db/rows.ts';
import { phoneNumbers } from '../../../db/tables/phone-numbers.ts';
import { rulesOf } from '../../../domain/campaign/rules.ts';
import type { CampaignSettings } from '../../../domain/campaign/settings.ts';
import { neverOpens } from '../../../domain/campaign/windows.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import {
  findOutbound,
  type OutboundConfiguration,
  usualCallLimits,
  readPolicy,
} from '../../telephony/index.ts';
import { badRequest, requireConnection } from '../../calls/index.ts';
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
 * Checks whether a campaign could ever run with these settings (contract 11.5): its connection, lines,
 * numbers and hours. Throws PreconditionError (400).
 */
export async function checkSettings(
  manager: EntityManager,
  ctx: ServiceContext,
  { deps, settings, configurationId, changed }: Checking,
): Promise<void> {
  const isNew = (...names: (keyof CampaignSettings)[]) => names.some((name) => changed.includes(name));
  if (isNew('max_concurrency', 'rules')) {
    const connection = requireConnection(
      await findOutbound(manager, ctx, { carriers: deps.carriers, id: configurationId }),
    );
    requireLines(settings.max_concurrency, { limit: (deps.limits ?? usualCallLimits).calls, connection });
    await requireNumbers(manager, ctx, { ids: settings.rules?.from_phone_number_ids ?? [], connection });
  }
  if (isNew('schedule_config', 'rules'))
    requireHours(settings, await readPolicy(manager, ctx.organizationId), ctx.clock.now());
}

function requireLines(
  wanted: number | null,
  { limit, connection }: { limit: number; connection: OutboundConfiguration },
): void {
  if (wanted === null) return;
  if (wanted > limit)
    throw badRequest(
      `max_concurrency is ${wanted}, and the organization may have ${counted(limit, 'call')} at once`,
    );
  if (wanted > connection.activeNumbers)
    throw badRequest(
      `max_concurrency is ${wanted}, and the telephony configuration '${connection.name}' has ${counted(connection.activeNumbers, 'active phone number')}: each call holds one`,
    );
}

async function requireNumbers(
  manager: EntityManager,
  { organizationId }: ServiceContext,
  { ids, connection }: { ids: readonly number[]; connection: OutboundConfiguration },
): Promise<void> {
  if (ids.length === 0) return;
  const known = await countRows(manager, phoneNumbers, {
    organizationId,
    id: In([...new Set(ids)]),
    isActive: true,
    configurationId: connection.id,
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
