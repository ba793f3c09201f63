import type { DataSource } from 'typeorm';
import { type AttemptLimiter, createAttemptLimiter } from '../../../db/attempt-limiter.ts';
import { LimitError, UnauthenticatedError } from '../../../domain/errors.ts';
import type { Tickets } from '../../../providers/secrets/tickets.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Logger } from '../../../runtime/logger.ts';
import type { Actor } from '../../kernel/index.ts';
import { callerOfKey } from '../api-keys/authenticate.ts';
import { callerOfSession } from '../users/authenticate.ts';
import { Claims, digestOf } from './issue.ts';

/** Counts the uses of each ticket on all processes, for longer than it lives by any clock of theirs. */
export const createTicketUses = (db: DataSource): AttemptLimiter =>
  createAttemptLimiter(db, {
    what: 'download_ticket',
    named: 'downloads by one ticket',
    max: 1,
    windowSeconds: 3600,
  });

interface Redeeming {
  db: DataSource;
  clock: Clock;
  log: Logger;
  tickets: Pick<Tickets, 'open'>;
  uses: AttemptLimiter;
  sessionIdleMs: number;
  /** What the request presents. */
  ticket: string;
  /** Path and query of the request, without the ticket. */
  address: string;
}

/**
 * The caller that a ticket was issued to, with the present role or scopes (contract 6.9). The ticket is used up
 * by it; of simultaneous requests one succeeds. Throws UnauthenticatedError, the same one for a ticket that is
 * forged, expired, used or for another download, and for one whose session or key is no longer accepted.
 */
export async function redeemDownloadTicket({
  tickets,
  uses,
  ticket,
  address,
  ...finding
}: Redeeming): Promise<{ organizationId: number; actor: Actor }> {
  const text = tickets.open(ticket);
  const { data: claims } = Claims.safeParse(text === null ? null : JSON.parse(text));
  if (claims === undefined) throw refused();
  // guarantee: download-ticket-is-for-one-download
  if (claims.download !== digestOf(address)) throw refused();
  if (claims.expiresAtMs <= finding.clock.now().getTime()) throw refused();
  const {
    organizationId,
    holder: { kind, id },
  } = claims;
  const callerOf = kind === 'session' ? callerOfSession : callerOfKey;
  const caller = await callerOf({ ...finding, where: { id, organizationId } });
  if (caller === null) throw refused();
  // guarantee: download-ticket-works-once
  await use(uses, claims.id);
  return caller;
}

async function use(uses: AttemptLimiter, id: string): Promise<void> {
  try {
    await uses.count(id);
  } catch (error) {
    throw error instanceof LimitError ? refused() : error;
  }
}

const refused = (): UnauthenticatedError =>
  new UnauthenticatedError('The download ticket is wrong, expired or used; ask for a new one');
