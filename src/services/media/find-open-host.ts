import type { EntityManager } from 'typeorm';
import { acrossOrganizations, queryRows } from '../../db/rows.ts';

/** A host that accepts calls. */
interface OpenHost {
  id: string;
  /** Base URL of its sockets, `ws://` or `wss://`. */
  publicUrl: string;
  hostQueue: string;
}

/**
 * The host with the fewest calls among the live hosts that do not drain and have a free seat; null if there
 * is none. The number of calls is at most half a second old. Chooses at random among equal hosts.
 */
export async function findOpenHost(manager: EntityManager): Promise<OpenHost | null> {
  const [host]: OpenHost[] = await queryRows(
    acrossOrganizations(manager, 'media hosts belong to no organization'),
    {
      sql: 'SELECT id, public_url AS publicUrl, host_queue AS hostQueue FROM media_hosts WHERE lost_at IS NULL AND is_draining = 0 AND lease_expires_at > UTC_TIMESTAMP(6) AND live_calls < max_calls ORDER BY live_calls, RAND() LIMIT 1',
    },
  );
  return host ?? null;
}
