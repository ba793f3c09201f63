import type { EntityManager } from 'typeorm';
import { chooseCallerNumber } from '../../../domain/telephony/caller-number.ts';
import type { Ids } from '../../../runtime/ids.ts';
import { activeNumbers } from '../accounts/configurations.ts';
import type { PhoneCallRef } from './deps.ts';

/** The number that a leg shows, in E.164, by `chooseCallerNumber`; null if there is none. */
export async function findCallerNumber(
  manager: EntityManager,
  ids: Ids,
  { organizationId, configurationId }: PhoneCallRef,
  wantedId: number | null,
): Promise<string | null> {
  const active = await activeNumbers(manager, { organizationId, configurationId });
  const chosen = chooseCallerNumber(active, { wantedId, random: (below) => ids.integer(below) });
  return chosen?.address ?? null;
}
