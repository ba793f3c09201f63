import type { EntityManager } from 'typeorm';
import { acrossOrganizations, queryRows } from '../../db/rows.ts';

/** A host that takes calls. */
interface OpenHost {
  id: string;
  /** Base URL of its sockets, `ws://` or `wss://`. */
  publicUrl: string;
  hostQueue: string;
}

/**
 * The host with the fewest calls among those that live, do not drain and have places left; null when there is
 * none. Its number of calls is at most half a second old: of hosts that are equal any is taken.
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
