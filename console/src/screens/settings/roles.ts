import type { Role } from '../../../../src/contract/data/scopes.ts';
import type { Member } from '../../../../src/contract/people.ts';
import { queries } from '../../app/query.ts';

/** From the one that may most to the one that may least. */
export const roles: readonly Role[] = ['owner', 'builder', 'campaign_manager', 'operator', 'analyst'];

export const nameOf = ({ name, email }: Pick<Member, 'name' | 'email'>): string => name ?? email;

export async function refreshPeople(): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: ['/organizations/members'] }),
    queries.invalidateQueries({ queryKey: ['/organizations/invitations'] }),
  ]);
}
