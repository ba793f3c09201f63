import type { Role } from '../../../contract/data/scopes.ts';
import type { User } from '../../../contract/users.ts';
import type { UserRow } from '../../../db/tables/users.ts';
import { permittedScopes, type Granted } from '../../../domain/keys/permits.ts';

/** The user in the organization of a session or key, with what that one may do. */
export function toUser(
  { id, email, name, uuid }: UserRow,
  { organizationId, role, granted }: { organizationId: number; role: Role | null; granted: Granted },
): User {
  return {
    id,
    email,
    name,
    organization_id: organizationId,
    provider_id: uuid,
    role,
    scopes: permittedScopes(granted),
  };
}
