import type { Role } from '../../contract/data/scopes.ts';

/**
 * Whether the organization keeps an owner when the person gets another role, or none (null). `owners` are the
 * present ones.
 */
export const keepsAnOwner = (
  owners: readonly number[],
  { userId, role }: { userId: number; role: Role | null },
): boolean => role === 'owner' || owners.some((owner) => owner !== userId);
