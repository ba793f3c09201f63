import type { EntityManager } from 'typeorm';
import { acrossOrganizations, findRow, findRows, type Db } from '../../../db/rows.ts';
import { memberships, type MembershipRow } from '../../../db/tables/memberships.ts';
import { ForbiddenError } from '../../../domain/errors.ts';

/** What the user is in the organization, or null. */
export async function findMembership(
  db: Db,
  { userId, organizationId }: Pick<MembershipRow, 'userId' | 'organizationId'>,
): Promise<MembershipRow | null> {
  return await findRow(db, memberships, { organizationId, userId });
}

/**
 * The organization where the user's next session begins: the one that they last chose. Throws ForbiddenError
 * if they belong to none any more.
 */
export async function chosenOrganization(tx: EntityManager, userId: number): Promise<number> {
  const chosen = await findRow(
    acrossOrganizations(tx, 'a person may belong to several organizations'),
    memberships,
    { userId },
    { order: { chosenAt: 'DESC', id: 'DESC' } },
  );
  if (chosen === null) throw noOrganization();
  return chosen.organizationId;
}

/** The organizations of the user. */
export async function organizationsOf(tx: EntityManager, userId: number): Promise<number[]> {
  const rows = await findRows(
    acrossOrganizations(tx, 'a person may belong to several organizations'),
    memberships,
    { userId },
    { order: { id: 'ASC' } },
  );
  return rows.map(({ organizationId }) => organizationId);
}

export const noOrganization = () =>
  new ForbiddenError('You belong to no organization any more. Ask one of its owners for an invitation');
