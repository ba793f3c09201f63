import type { User } from '../../../contract/users.ts';
import type { UserRow } from '../../../db/tables/users.ts';

export function toUser({ id, email, name, organizationId, uuid }: UserRow): User {
  return { id, email, name, organization_id: organizationId, provider_id: uuid };
}
