import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Tickets } from '../../../providers/secrets/tickets.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { ownSession } from '../users/sessions.ts';

/** The time between the issue of a ticket and the beginning of its download (contract 6.9). */
const lifetimeMs = 60_000;

/** The content of a ticket. Other tickets under the same seal have another use. */
export const Claims = z.object({
  use: z.literal('download'),
  id: z.string(),
  organizationId: z.int(),
  /** What its caller presented. The download is that of the same session or key. */
  holder: z.object({ kind: z.enum(['session', 'api_key']), id: z.int() }),
  download: z.string(),
  expiresAtMs: z.int(),
});

/** Names a download by path and query. A digest, because queries are long and the ticket is part of an address. */
export const digestOf = (address: string): string => createHash('sha256').update(address).digest('base64url');

/** Issues a ticket for one download by the caller (contract 6.9). `address` is its path and query. */
export function issueDownloadTicket({
  ctx: { organizationId, actor, clock, ids },
  tickets,
  address,
}: {
  ctx: ServiceContext;
  tickets: Pick<Tickets, 'seal'>;
  address: string;
}): { ticket: string; expiresAt: Date } {
  const expiresAt = new Date(clock.now().getTime() + lifetimeMs);
  const claims: z.infer<typeof Claims> = {
    use: 'download',
    id: ids.uuid(),
    organizationId,
    holder:
      actor.kind === 'api_key'
        ? { kind: actor.kind, id: actor.apiKeyId }
        : { kind: 'session', id: ownSession({ actor }) },
    download: digestOf(address),
    expiresAtMs: expiresAt.getTime(),
  };
  return { ticket: tickets.seal(JSON.stringify(claims)), expiresAt };
}
