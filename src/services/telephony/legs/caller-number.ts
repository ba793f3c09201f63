import type { EntityManager } from 'typeorm';
import { findRows } from '../../../db/rows.ts';
import { phoneNumbers, type PhoneNumberRow } from '../../../db/tables/phone-numbers.ts';
import { chooseCallerNumber } from '../../../domain/telephony/choose-caller-number.ts';
import type { Ids } from '../../../runtime/ids.ts';
import type { LineRef } from './deps.ts';

/**
 * The number that a person sees, of the active numbers of the connection (contract 12.3). Null when there is
 * none, or when the number with `askedId` is not active.
 */
export async function findCallerNumber(
  manager: EntityManager,
  { integer: random }: Pick<Ids, 'integer'>,
  { organizationId, configurationId }: Pick<LineRef, 'organizationId' | 'configurationId'>,
  askedId: number | null,
): Promise<PhoneNumberRow | null> {
  const active = await findRows(
    manager,
    phoneNumbers,
    { organizationId, configurationId, isActive: true },
    { order: { id: 'ASC' } },
  );
  return chooseCallerNumber(active, { askedId, random });
}
