import type { EntityManager } from 'typeorm';
import { acrossOrganizations, queryRows } from '../../db/rows.ts';

/** The origins (`ws://…`, `wss://…`) of the live media hosts, at which browsers open the sockets of calls. */
export async function listStreamOrigins(manager: EntityManager): Promise<string[]> {
  const hosts: { publicUrl: string }[] = await queryRows(
    acrossOrganizations(manager, 'media hosts belong to no organization'),
    {
      sql: 'SELECT DISTINCT public_url AS publicUrl FROM media_hosts WHERE lost_at IS NULL AND lease_expires_at > UTC_TIMESTAMP(6) LIMIT 100',
    },
  );
  return [...new Set(hosts.map(({ publicUrl }) => new URL(publicUrl).origin))];
}
