import type { EntityManager } from 'typeorm';
import type { WebCallOffer } from '../../../contract/calls.ts';
import { UnavailableError } from '../../../domain/errors.ts';
import { webCallUrl } from '../../../domain/telephony/web-call-url.ts';
import type { Tickets } from '../../../providers/secrets/tickets.ts';
import type { Clock } from '../../../runtime/clock.ts';
import { findOpenHost, issueWebCallToken, type WebCall } from '../../media/index.ts';

/**
 * The address at which a browser may speak in that call, and the token for it (contract 15.2). Throws
 * UnavailableError (503) when no media host takes calls.
 */
export async function offerWebCall(
  tx: EntityManager,
  { tickets, clock, call }: { tickets: Tickets; clock: Clock; call: WebCall },
): Promise<WebCallOffer> {
  const host = await findOpenHost(tx);
  if (host === null) throw new UnavailableError('No media host takes calls now', { dependency: 'media' });
  const { token, lifetimeMs } = issueWebCallToken({ tickets, clock, call });
  return { url: webCallUrl({ publicUrl: host.publicUrl, ...call }), token, expires_in: lifetimeMs / 1000 };
}
