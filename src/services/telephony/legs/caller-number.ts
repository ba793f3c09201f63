import type { EntityManager } from 'typeorm';
import { findRows } from '../../../db/rows.ts';
import { phoneNumbers } from '../../../db/tables/phone-numbers.ts';
import type { Ids } from '../../../runtime/ids.ts';
import type { LineRef } from './deps.ts';

/**
 * The number that a person is shown (contract 12.3): the one that was asked for, else the default one, else
 * any active one. Null when there is none.
 */
export async function chooseCallerNumber(
  manager: EntityManager,
  ids: Ids,
  { organizationId, configurationId }: LineRef,
  wantedId: number | null,
): Promise<string | null> {
  const active = await findRows(
    manager,
    phoneNumbers,
    { organizationId, configurationId, isActive: true },
    { order: { id: 'ASC' } },
  );
  const chosen =
    wantedId === null
      ? (active.find(({ isDefaultCallerId }) => isDefaultCallerId === true) ??
        active[active.length < 2 ? 0 : ids.integer(active.length)])
      : active.find(({ id }) => id === wantedId);
  return chosen?.addressNormalized ?? null;
}
